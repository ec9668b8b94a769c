import { dayMs, minuteMs } from '@shopscope/clock';
import type { Lease } from './lease.ts';

/** A frozen view of the corpus, which all callers share. */
export interface Edition {
  id: string;
  /** The index of which it is. */
  index: string;
  /** The point in time of the engine. */
  pointInTime: string;
  builtAtMs: number;
  stores: number;
}

/** One document, which all instances share, as that of the indexes. */
export interface EditionState {
  /** The latest one last. */
  editions: readonly Edition[];
  /** An instance opens an edition. */
  opening: Lease | null;
}

export const noEditions: EditionState = { editions: [], opening: null };

const maxAgeMs = 15 * minuteMs;
/** A fresh installation grows fast. */
const minShareOfStores = 0.9;
const keptMs = dayMs;
/** One every 15 minutes for a day, and some of a corpus that grows. A node may allow fewer: see `oldestEditions`. */
export const maxEditions = 120;

export const latestOf = ({ editions }: EditionState): Edition | undefined => editions.at(-1);

/** Whether a new edition is due. `stores` is the number of stores that the serving index has now. */
export function isDue(
  state: EditionState,
  index: string,
  { stores, nowMs }: { stores: number; nowMs: number },
): boolean {
  const latest = latestOf(state);
  if (!latest || latest.index !== index) return true;
  return nowMs - latest.builtAtMs >= maxAgeMs || latest.stores < minShareOfStores * stores;
}

/** Returns the editions whose time has ended, or that are too many. The latest one stays. */
export function endedEditions({ editions }: EditionState, nowMs: number): readonly Edition[] {
  const older = editions.slice(0, -1);
  return older.filter((edition, at) => nowMs - edition.builtAtMs >= keptMs || at < editions.length - maxEditions);
}

const shareToEnd = 0.1;

/** Returns the editions that end when the engine keeps no more points in time. The latest one stays. */
export const oldestEditions = ({ editions }: EditionState): readonly Edition[] =>
  editions.slice(0, Math.min(editions.length - 1, Math.ceil(editions.length * shareToEnd)));

export const withEdition = (state: EditionState, edition: Edition): EditionState => ({
  editions: [...state.editions, edition],
  opening: null,
});

export function withoutEditions(state: EditionState, gone: readonly Edition[]): EditionState {
  const ids = new Set(gone.map(({ id }) => id));
  return { ...state, editions: state.editions.filter(({ id }) => !ids.has(id)) };
}
