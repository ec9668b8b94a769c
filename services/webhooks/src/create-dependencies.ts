import { createKeyedQueue } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { createTransact, type Mongo } from '@shopscope/mongo';
import type { Outbox, OutboxRelay } from '@shopscope/outbox';
import { webhookStateChanged } from '@shopscope/proto';
import { type Logger, noOrigin } from '@shopscope/telemetry';
import type { Vault } from './domain/vault.ts';
import type { WebhooksMetrics } from './metrics.ts';
import type { Dependencies, EveryEnvironment } from './operations/dependencies.ts';
import type { EventReader } from './outbound/event-reader.ts';
import { createStores } from './outbound/mongo/stores.ts';

export interface DependencyParts {
  mongo: Mongo;
  outbox: Pick<Outbox, 'appendMany'>;
  relay: Pick<OutboxRelay, 'nudge'>;
  clock: Clock;
  logger: Logger;
  metrics: WebhooksMetrics;
  vault: Vault;
  sender: Dependencies<Environment>['sender'];
  events: EventReader;
  apiUrl: string;
  random(): number;
  onDue(environment: Environment): void;
  onReplay(environment: Environment): void;
}

/** The part of the composition root that creates what the operations of both environments use. */
export function createDependencies({
  mongo,
  outbox,
  relay,
  onDue,
  onReplay,
  ...parts
}: DependencyParts): EveryEnvironment {
  // A unique index rejects one of two concurrent transactions. The rejected one runs again and reads the new data.
  const transact = createTransact(mongo, { retryDuplicateKeys: true });
  const shared = {
    ...parts,
    changes: createKeyedQueue(),
    async transact<T>(...args: Parameters<typeof transact<T>>): Promise<T> {
      const result = await transact(...args);
      relay.nudge();
      return result;
    },
  };
  const dependenciesOf = <E extends Environment>(environment: E): Dependencies<E> => ({
    ...shared,
    ...createStores(mongo.db, environment),
    environment,
    publish(tx, events) {
      const meta = { ...noOrigin, environment };
      return outbox.appendMany(
        tx.session,
        webhookStateChanged[environment],
        events.map((event) => ({ event, meta })),
      );
    },
    onDue: () => onDue(environment),
    onReplay: () => onReplay(environment),
  });
  return { live: dependenciesOf('live'), test: dependenciesOf('test') };
}
