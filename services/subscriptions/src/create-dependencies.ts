import { createKeyedQueue } from '@shopscope/async';
import { type ChargeOutcome, createBalanceCache, createEventPublisher } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { EventProducer } from '@shopscope/kafka';
import { createTransact, type Mongo } from '@shopscope/mongo';
import type { Outbox, OutboxRelay } from '@shopscope/outbox';
import type { Logger } from '@shopscope/telemetry';
import type { connectPeers } from './connect-peers.ts';
import { createEventParts } from './create-event-parts.ts';
import type { SubscriptionsMetrics } from './metrics.ts';
import type { Dependencies, EveryEnvironment } from './operations/dependencies.ts';
import { createReadSnapshot } from './outbound/mongo/reads.ts';
import { createStores } from './outbound/mongo/stores.ts';

/** The part of the composition root that creates what the operations of both environments use. */
export function createDependencies(options: {
  mongo: Mongo;
  outbox: Pick<Outbox, 'appendMany'>;
  relay: Pick<OutboxRelay, 'nudge'>;
  producer: EventProducer;
  peers: Omit<ReturnType<typeof connectPeers>, 'security'>;
  clock: Clock;
  logger: Logger;
  metrics: SubscriptionsMetrics;
}): EveryEnvironment {
  const { mongo, outbox, relay, producer, peers, clock, logger, metrics } = options;
  const { client, db } = mongo;
  const { payers, storeSearch, ...called } = peers;
  const { metering } = called;
  const shared = {
    clock,
    logger,
    metrics,
    payers,
    storeSearch,
    // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
    transact: createTransact(mongo, { retryDuplicateKeys: true }),
    changes: createKeyedQueue(),
    readSnapshot: createReadSnapshot(client),
  };
  const dependenciesOf = <E extends Environment>(environment: E): Dependencies<E> => {
    const stores = createStores(db, environment);
    const charging = {
      ...called,
      clock,
      events: createEventPublisher(producer),
      balances: createBalanceCache({ metering, clock }),
      // Reserve decides every charge here, because every charge is named.
      leases: { charge: async () => undefined },
      onCharge: (outcome: ChargeOutcome) => metrics.charge(environment, outcome),
    };
    const events = createEventParts({ ...shared, environment, stores, client, outbox, relay });
    return { ...shared, charging, ...stores, ...events };
  };
  return { live: dependenciesOf('live'), test: dependenciesOf('test') };
}
