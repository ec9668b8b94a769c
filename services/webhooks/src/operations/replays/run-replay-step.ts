import { createDeadline, type Deadline } from '@shopscope/async';
import { secondMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { newId } from '@shopscope/ids';
import type { WorkspaceEvent } from '@shopscope/proto';
import { type DeliveryState, lanes } from '../../domain/delivery.ts';
import type { EndpointRef } from '../../domain/endpoint.ts';
import { matchableOf, receives } from '../../domain/event-match.ts';
import type { Replay, ReplayRef } from '../../domain/replay.ts';
import type { LeasedReplay } from '../../outbound/mongo/replays.ts';
import { deliveryIdOf, newDelivery } from '../deliveries/create-deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { endReplay } from './end-replay.ts';
import { findSpan } from './find-span.ts';

const leaseMs = 60 * secondMs;
const stepMs = 30 * secondMs;
/** The pause of a job after a step that failed. */
const retryMs = 10 * secondMs;
/** The events of a step. */
const maxEvents = 200;

/** What is queued again. A delivery that is pending or being sent is delivered anyway. */
const replayed: Record<Replay['scope'], readonly DeliveryState[]> = {
  failed: ['failed', 'retrying'],
  all: ['failed', 'retrying', 'succeeded'],
};

/**
 * Executes one step of the job that has waited longest. Returns false if there is none.
 *
 * - Concurrency: a job is leased for {@link leaseMs}. A step that is executed twice queues each delivery once.
 * - A step fails -> the job waits for {@link retryMs}. The process ends -> another execution repeats the step after the lease.
 * - The endpoint is deleted or disabled -> the job is canceled.
 */
export async function runReplayStep<E extends Environment>(deps: Dependencies<E>): Promise<boolean> {
  const { replays, clock, logger } = deps;
  const nowMs = clock.now();
  const deadline = createDeadline(stepMs, { clock });
  const lease = { token: newId('lse', nowMs), now: new Date(nowMs), until: new Date(nowMs + leaseMs) };
  const leased = await replays.lease(lease, deadline.timeoutMs());
  if (!leased) return false;
  try {
    await step(deps, leased.ref, leased.replay, deadline);
  } catch (error) {
    logger.error({ err: error, jobId: leased.ref.id }, 'a step of a replay failed; it is repeated');
    await replays.delay(leased.ref, lease.token, new Date(clock.now() + retryMs), stepMs);
  }
  return true;
}

async function step<E extends Environment>(
  deps: Dependencies<E>,
  ref: ReplayRef<E>,
  replay: LeasedReplay,
  deadline: Deadline,
): Promise<void> {
  const { replays, endpoints, events, transact, clock } = deps;
  const { token, endpointId: id, cursor } = replay;
  const now = new Date(clock.now());
  const endpointRef = { environment: deps.environment, workspaceId: ref.workspaceId, id };
  const endpoint = await endpoints.find(endpointRef, { maxTimeMS: deadline.timeoutMs() });
  if (!endpoint || endpoint.state === 'disabled') {
    await transact((tx) => endReplay(deps, ref, { state: 'canceled' }, tx, token), { deadline });
    return;
  }
  if (!cursor) {
    const span = await findSpan(events, ref, replay, deadline);
    const counted = { done: 0, cursor: span, total: span.last - span.after };
    await replays.advance(ref, token, counted, now, now, deadline.timeoutMs());
    return;
  }
  const query = { after: cursor.after, types: [], limit: maxEvents };
  const page = cursor.after < cursor.last ? (await events.page(ref, query, deadline)).events : [];
  const examined = page.filter(({ sequence }) => sequence <= cursor.last);
  const types = replay.eventTypes;
  const wanted = examined.filter(
    (event) =>
      (types.length === 0 || types.some((type) => type === event.type)) && receives(endpoint, matchableOf(event)),
  );
  if (wanted.length > 0) await queue(deps, endpointRef, replay, wanted, deadline);
  const after = examined.at(-1)?.sequence;
  if (after !== undefined && after < cursor.last) {
    const done = after - cursor.after;
    await replays.advance(ref, token, { done, cursor: { ...cursor, after } }, now, now, deadline.timeoutMs());
    return;
  }
  const end = { state: 'succeeded', done: replay.total } as const;
  await transact((tx) => endReplay(deps, ref, end, tx, token), { deadline });
}

async function queue<E extends Environment>(
  deps: Dependencies<E>,
  endpoint: EndpointRef<E>,
  { id: replayId, scope }: Replay,
  wanted: readonly WorkspaceEvent[],
  deadline: Deadline,
): Promise<void> {
  const { deliveries, queues, environment, clock, onDue } = deps;
  const now = new Date(clock.now());
  if (scope === 'all') {
    const made = wanted.map((event) => ({ ...newDelivery(deps, endpoint, event, now), lane: lanes.replay }));
    await deliveries.insert(made, replayId, deadline.timeoutMs());
  }
  const ids = wanted.map(({ id }) => deliveryIdOf(environment, endpoint.id, id));
  await deliveries.replay(endpoint, ids, { replayId, states: replayed[scope], now }, deadline.timeoutMs());
  await queues.announce(endpoint, [endpoint.id], now, { maxTimeMS: deadline.timeoutMs() });
  onDue();
}
