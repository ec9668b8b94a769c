import { type Clock, systemClock } from '@shopscope/clock';
import { createTransact, type Mongo } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import type { StoreSignal } from '@shopscope/proto';
import { createLogger, noOrigin } from '@shopscope/telemetry';
import { createEventParts } from './create-event-parts.ts';
import { signalOf } from './inbound/kafka/profile-updated.ts';
import { appendSignals } from './operations/append-signals.ts';
import { createStores } from './outbound/mongo/stores.ts';
import type { Watcher } from './outbound/mongo/watchers.ts';

/**
 * Appends the events of confirmed signals for watched stores, each at the time of its confirmation. It creates the past
 * of demo workspaces while instances of the service run.
 *
 * - The signals are given by ascending time. An event is never older than the one before it in its sequence.
 * - A signal arrives again, here or by a fan-out -> it appends nothing.
 * - It rejects, or the process ends -> the events of the first signals exist. The same call again appends the others.
 */
export async function appendPastSignals(
  mongo: Mongo,
  { signals, watchers }: { signals: readonly StoreSignal[]; watchers: readonly Watcher[] },
): Promise<void> {
  const stores = createStores(mongo.db, 'live');
  let atMs = 0;
  const clock: Clock = { ...systemClock, now: () => atMs };
  const deps = createEventParts({
    environment: 'live',
    stores,
    clock,
    logger: createLogger({ service: 'past-signals', instance: 'past-signals', level: 'fatal' }),
    transact: createTransact(mongo, { retryDuplicateKeys: true }),
    client: mongo.client,
    outbox: createOutbox(mongo.db),
    // The relays of the service publish the events.
    relay: { nudge: () => {} },
  });
  const { watchers: all, fanOuts } = stores;
  const origin = { ...noOrigin, environment: 'live' } as const;
  try {
    for (const signal of signals) {
      atMs = signal.confirmedAtMs;
      const { domain } = signal;
      const event = { domain, signals: [{ ...signalOf(domain, signal), retraction: null }] };
      await appendSignals({ ...deps, watchers: all, fanOuts }, [{ event, origin }], watchers);
    }
  } finally {
    await deps.waits.stop();
  }
}
