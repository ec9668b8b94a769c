import { newId } from '@shopscope/ids';
import {
  type Edition,
  endedEditions,
  isDue,
  latestOf,
  oldestEditions,
  withEdition,
  withoutEditions,
} from '../domain/edition-state.ts';
import { mayTake } from '../domain/lease.ts';
import type { Dependencies, SearchDependencies } from './dependencies.ts';
import { servingIndex } from './fill-index.ts';
import { changeState, readState } from './shared-state.ts';

/** A refresh of a large index may take seconds. */
const leaseMs = 60_000;
/** A view that no state names lives this long. */
const firstKeepAlive = '2m';
const keepAlive = '24h';

type EditionDependencies = Pick<
  Dependencies,
  'instanceId' | 'clock' | 'states' | 'indexes' | 'pointsInTime' | 'logger' | 'metrics'
>;

/** What an instance remembers between two looks. */
export interface EditionWatch {
  /** Since when the latest edition does not answer while its index does. */
  unreachableSinceMs: number | undefined;
}

/** A node that is only busy or restarts its network answers again within this time. */
const maxUnreachableMs = 30_000;

/**
 * Looks at the editions: forgets the latest one if the engine has lost it, opens one if this is due, and ends old ones. All instances do so;
 * one of them opens an edition at a time.
 *
 * - The engine has lost the latest edition -> all lost ones are forgotten.
 * - The latest edition does not answer for {@link maxUnreachableMs} although its whole index does: a part of it was on a node that is gone ->
 *   the same.
 * - The engine is not available -> rejects, and nothing changes.
 */
export async function keepEditions(deps: EditionDependencies, watch: EditionWatch): Promise<void> {
  const { editions } = await readState(deps, 'editions');
  const latest = editions.at(-1);
  if (latest && (await isLost(deps, latest, watch))) await forgetEditions(deps, await lostOf(deps, editions));
  await openIfDue(deps);
  await endEditions(deps);
  deps.metrics.latestEdition(latestOf(await readState(deps, 'editions')));
}

/** Keeps the edition longer, also if the instance that opened it was killed before it did that. */
async function isLost(
  { pointsInTime, indexes, clock }: EditionDependencies,
  { pointInTime, index }: Edition,
  watch: EditionWatch,
): Promise<boolean> {
  const kept = await pointsInTime.keep(pointInTime, keepAlive);
  if (kept !== 'unreachable') {
    watch.unreachableSinceMs = undefined;
    return kept === 'gone';
  }
  await indexes.count(index);
  watch.unreachableSinceMs ??= clock.monotonicMs();
  return clock.monotonicMs() - watch.unreachableSinceMs >= maxUnreachableMs;
}

async function lostOf({ pointsInTime }: EditionDependencies, editions: readonly Edition[]): Promise<Edition[]> {
  const lost: Edition[] = [];
  for (const edition of editions) {
    const kept = await pointsInTime.keep(edition.pointInTime, keepAlive);
    if (kept === 'gone' || kept === 'unreachable') lost.push(edition);
  }
  return lost;
}

export async function forgetEditions(
  { logger, ...deps }: Pick<SearchDependencies, 'states' | 'logger'>,
  lost: readonly Edition[],
): Promise<void> {
  if (lost.length === 0) return;
  logger.warn({ editions: lost.map(({ id }) => id) }, 'the engine has lost editions');
  await changeState(deps, 'editions', (state) => withoutEditions(state, lost));
}

/**
 * 1. Takes the right to open an edition. 2. Refreshes the index: everything acknowledged before is in the edition. 3. Opens a point in time
 * and counts its stores. 4. Stores the edition, from now on visible to all instances. 5. Keeps the point in time for a day.
 *
 * Killed after 1 -> another instance opens one when the lease has expired. Killed after 3 -> the engine drops the point in time after two
 * minutes. Killed after 4 -> the next look of any instance keeps the point in time. The engine has no room at 3 -> the oldest editions end.
 */
async function openIfDue(deps: EditionDependencies): Promise<void> {
  const { clock, indexes, pointsInTime } = deps;
  const index = await servingIndex(deps);
  const nowMs = clock.now();
  const stores = await indexes.count(index);
  if (!isDue(await readState(deps, 'editions'), index, { stores, nowMs })) return;
  const taken = await changeState(deps, 'editions', (state) => {
    if (!isDue(state, index, { stores, nowMs }) || !mayTake(state.opening, deps.instanceId, nowMs)) return undefined;
    return { ...state, opening: { holder: deps.instanceId, untilMs: nowMs + leaseMs } };
  });
  if (!taken) return;
  const builtAtMs = clock.now();
  await indexes.refresh(index);
  const pointInTime = await pointsInTime.open(index, firstKeepAlive);
  if (pointInTime === undefined) return makeRoom(deps);
  const kept = await pointsInTime.keep(pointInTime, firstKeepAlive);
  if (kept === 'gone' || kept === 'unreachable')
    throw new Error('the engine has lost a point in time that it has just opened');
  const edition = { id: newId('edn', builtAtMs), index, pointInTime, builtAtMs, stores: kept.stores };
  const stored = await changeState(deps, 'editions', (state) => {
    if (latestOf(state)?.id === edition.id) return state;
    return state.opening?.holder === deps.instanceId ? withEdition(state, edition) : undefined;
  });
  if (!stored) return pointsInTime.close([pointInTime]);
  await pointsInTime.keep(pointInTime, keepAlive);
  deps.logger.info({ edition: edition.id, stores: edition.stores }, 'an edition is open');
}

/** The engine releases what a refused point in time has taken after this time. An earlier attempt would be refused, too. */
const roomAfterMs = 120_000;
const nobody = '';

/** The engine keeps no more points in time. The oldest editions end, and after {@link roomAfterMs} any instance opens one. */
async function makeRoom(deps: EditionDependencies): Promise<void> {
  const opening = { holder: nobody, untilMs: deps.clock.now() + roomAfterMs };
  let oldest: readonly Edition[] = [];
  await changeState(deps, 'editions', (state) => {
    oldest = oldestEditions(state);
    return { ...withoutEditions(state, oldest), opening };
  });
  deps.logger.warn(
    { editions: oldest.map(({ id }) => id) },
    'the engine has no room for an edition; the oldest ones end',
  );
  await deps.pointsInTime.close(oldest.map(({ pointInTime }) => pointInTime));
}

/** The state is changed first, so that no caller is sent to an edition whose point in time is closed. */
async function endEditions(deps: EditionDependencies): Promise<void> {
  const nowMs = deps.clock.now();
  const ended = endedEditions(await readState(deps, 'editions'), nowMs);
  if (ended.length === 0) return;
  await changeState(deps, 'editions', (state) => withoutEditions(state, ended));
  await deps.pointsInTime.close(ended.map(({ pointInTime }) => pointInTime));
}
