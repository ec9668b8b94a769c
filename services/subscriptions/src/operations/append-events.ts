import { createKeyedBatcher, type Deadline, type KeyedBatcher } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment, Handles } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { Transact, Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { DeletedWorkspaceStore } from '@shopscope/workspace-deletion';
import { maxEventDataBytes, type NewEvent, type SequencedEvent } from '../domain/event.ts';
import type { EventStore } from '../outbound/mongo/events.ts';
import type { SequenceEnd, SequenceStore } from '../outbound/mongo/sequences.ts';

/**
 * Appends events to the sequences of their workspaces (decision 66).
 *
 * - Guarantee: a sequence has no gap, and its events become visible in its order. A reader that saw n sees everything below n.
 * - Delivery: a fact that arrives again has the id of its event, and appends nothing.
 * - A workspace is deleted -> its facts append nothing. It was reset -> neither do earlier facts.
 * - Concurrency: transactions of one workspace conflict on the end of its sequence. The later one runs again.
 * - The process ends within a transaction -> nothing of it remains. After the commit -> events and outbox rows are durable.
 * - Bounds: {@link maxBatchSize} events and {@link maxBatchBytes} per transaction; one transaction at a time per instance and environment.
 */
export interface AppendDependencies<E extends Environment> extends Handles<E> {
  clock: Pick<Clock, 'now'>;
  deletedWorkspaces: DeletedWorkspaceStore<E>;
  events: EventStore<E>;
  sequences: SequenceStore<E>;
  transact: Transact;
  /** Adds the events to the outbox in the transaction, in this order. */
  publish(tx: Tx, events: readonly Published<SequencedEvent<E>>[]): Promise<void>;
}

/** An event and the request that caused it. */
export interface Published<Event> {
  event: Event;
  origin: Origin;
  /** When the fact happened. Absent if a reset has no effect on it. */
  happenedAtMs?: number;
}

const maxBatchSize = 500;
const maxBatchBytes = 4 * 1024 * 1024;
/** A batch of a consumer waits with all its events. More would exhaust the memory while MongoDB is slow. */
const maxQueued = 20_000;

/** Appends events in the transaction of a change of state, so that both happen or neither. Resolves to those that are new. */
export async function appendEventsWithin<E extends Environment>(
  deps: Omit<AppendDependencies<E>, 'transact'>,
  tx: Tx,
  all: readonly Published<NewEvent<E>>[],
): Promise<SequencedEvent<E>[]> {
  const now = new Date(deps.clock.now());
  const workspaceIds = [...new Set(all.map(({ event }) => event.tenant.workspaceId))];
  const deleted = await deps.deletedWorkspaces.among(workspaceIds, tx);
  const given = all.filter(({ event }) => !deleted.has(event.tenant.workspaceId));
  if (given.length === 0) return [];
  // Step 1: from here on, other transactions of these workspaces conflict with this one. It comes first, so that this transaction also
  // sees all events of the earlier ones.
  let ends = await deps.sequences.extend(countByWorkspace(given, 1), now, tx);
  // Step 2: what was appended before, or happened before a reset, is left out, and the sequences shrink by its places.
  const events = (await deps.events.absent(given, tx)).filter((each) => !isBeforeReset(each, ends));
  const repeated = new Set(given).difference(new Set(events));
  if (repeated.size > 0) {
    ends = new Map([...ends, ...(await deps.sequences.extend(countByWorkspace([...repeated], -1), now, tx))]);
  }
  // Step 3: the new events get the last places, in the given order.
  const sequenced = inPlaces(events, ends);
  if (sequenced.length === 0) return [];
  const appended = sequenced.map(({ event }) => event);
  await deps.events.insert(appended, tx);
  // Step 4: the events leave the service only if the transaction commits.
  await deps.publish(tx, sequenced);
  return appended;
}

function isBeforeReset(
  { event, happenedAtMs }: Published<NewEvent<Environment>>,
  ends: ReadonlyMap<string, SequenceEnd>,
): boolean {
  const resetAt = ends.get(event.tenant.workspaceId)?.resetAt;
  return resetAt !== undefined && happenedAtMs !== undefined && happenedAtMs < resetAt.getTime();
}

function countByWorkspace(
  events: readonly Published<NewEvent<Environment>>[],
  sign: 1 | -1,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of events) {
    const { workspaceId } = event.tenant;
    counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + sign);
  }
  return counts;
}

function inPlaces<E extends Environment>(
  events: readonly Published<NewEvent<E>>[],
  ends: ReadonlyMap<string, SequenceEnd>,
): Published<SequencedEvent<E>>[] {
  const byWorkspace = Map.groupBy(events, ({ event }) => event.tenant.workspaceId);
  return [...byWorkspace].flatMap(([workspaceId, added]) => {
    const end = ends.get(workspaceId);
    if (!end) throw new Error(`the sequence of ${workspaceId} has no end`);
    const first = end.last - added.length + 1;
    return added.map(({ event, origin }, index) => ({
      event: { ...event, sequence: first + index, createdAt: end.lastCreatedAt },
      origin,
    }));
  });
}

export type EventAppends<E extends Environment> = KeyedBatcher<Published<NewEvent<E>>, void> & Handles<E>;

/** Gathers the events of all consumers of this instance into transactions. They would conflict if they ran at the same time. */
export function createEventAppends<E extends Environment>(deps: AppendDependencies<E>): EventAppends<E> {
  const batcher = createKeyedBatcher<Published<NewEvent<E>>>({
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize,
    maxQueued,
    weightOf: ({ event }) => Buffer.byteLength(event.data),
    maxWeight: maxBatchBytes,
    async run(events, deadline) {
      await deps.transact((tx) => appendEventsWithin(deps, tx, events), { deadline, retryDuplicateKeys: true });
    },
  });
  return Object.assign(batcher, { environment: deps.environment });
}

/** Resolves when all events are durable. Rejects without a trace of them, or with some of them appended: append them again. */
export async function appendEvents<E extends Environment>(
  { appends }: { appends: EventAppends<E> },
  events: readonly Published<NewEvent<E>>[],
  deadline: Deadline,
): Promise<void> {
  for (const { event } of events) requireSize(event);
  await Promise.all(events.map((event) => appends.submit(event, deadline)));
}

/** An event that Kafka refuses would fail the transaction of other events. */
function requireSize({ data }: NewEvent<Environment>): void {
  if (Buffer.byteLength(data) > maxEventDataBytes) {
    throw invalidField('data', `must have at most ${maxEventDataBytes} bytes`);
  }
}
