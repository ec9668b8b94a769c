/** Writes a state change and its event in one transaction. A relay publishes the event. */
export {
  createOutbox,
  type Outbox,
  type OutboxEvent,
  type OutboxRow,
  outboxCollections,
} from './outbox.ts';
export { type OutboxRelay, type RelayOptions, startOutboxRelay } from './relay.ts';
