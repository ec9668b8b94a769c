/** State and its event in one transaction; a relay publishes. */
export { createOutbox, type Outbox, type OutboxRow, outboxIndexes } from './outbox.ts';
export { type OutboxRelay, type RelayOptions, startOutboxRelay } from './relay.ts';
