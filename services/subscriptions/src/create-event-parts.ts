import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { Mongo, Transact } from '@shopscope/mongo';
import type { Outbox, OutboxRelay } from '@shopscope/outbox';
import { workspaceEvent } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import { type AppendDependencies, createEventAppends } from './operations/append-events.ts';
import type { EventDependencies } from './operations/event-dependencies.ts';
import { createEventWaits } from './operations/event-waits.ts';
import { workspaceEventOf } from './outbound/events/workspace-event.ts';
import { createReadInOrder } from './outbound/mongo/reads.ts';
import type { Stores } from './outbound/mongo/stores.ts';

/** The part of the composition root that creates what operations on events of one environment use. */
export function createEventParts<E extends Environment>(options: {
  environment: E;
  stores: Pick<Stores<E>, 'deletedWorkspaces' | 'events' | 'sequences' | 'watchlists'>;
  clock: Clock;
  logger: Logger;
  transact: Transact;
  client: Mongo['client'];
  outbox: Pick<Outbox, 'appendMany'>;
  relay: Pick<OutboxRelay, 'nudge'>;
}): EventDependencies<E> {
  const { environment, stores, clock, logger, outbox, relay, client } = options;
  const { deletedWorkspaces, events, sequences } = stores;
  const append: AppendDependencies<E> = {
    environment,
    clock,
    deletedWorkspaces,
    events,
    sequences,
    publish(tx, published) {
      const rows = published.map(({ event, origin }) => ({ event: workspaceEventOf(event), meta: origin }));
      return outbox.appendMany(tx.session, workspaceEvent[environment], rows);
    },
    async transact(work, transactionOptions) {
      const result = await options.transact(work, transactionOptions);
      relay.nudge();
      return result;
    },
  };
  return {
    ...append,
    clock,
    appends: createEventAppends(append),
    waits: createEventWaits({
      environment,
      sequences,
      clock,
      onError: (error) =>
        logger.warn({ err: error, environment }, 'the query for waiting calls failed; it is repeated'),
    }),
    readInOrder: createReadInOrder(client),
    watchlists: stores.watchlists,
  };
}
