import { hourMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Lease, mayTake } from './lease.ts';

/**
 * Which indexes of stores exist, and what each is for. One document, which all instances share, has this state. A change replaces the
 * document only if nobody else has changed it.
 */
export interface IndexState {
  /** New editions are of this index. Null until the first index is full. */
  serving: StoreIndex | null;
  /** It is filled from profiles, and replaces the serving one when it is full. */
  filling: Filling | null;
  /** They served, or were given up. Editions may still be of them. */
  retired: readonly Retired[];
}

export interface StoreIndex {
  name: string;
  /** The form of the documents. */
  schema: number;
}

export interface Filling extends StoreIndex {
  startedAtMs: number;
  /** All stores up to this domain are written. */
  afterDomain: string;
  written: number;
  /** About all stores of the corpus. */
  total: number;
  lease: Lease | null;
}

export interface Retired extends StoreIndex {
  retiredAtMs: number;
}

export const noIndexes: IndexState = { serving: null, filling: null, retired: [] };

/**
 * Returns the indexes that updates go to. Throws `unavailable`, so that the updates wait:
 *
 * - A newer version of the service fills an index -> its instances take the updates. Updates of this instance would miss that index.
 * - There is no index of this form -> one is made and filled soon.
 */
export function indexesToWrite({ serving, filling }: IndexState, schema: number): string[] {
  if (filling && filling.schema !== schema) throw waiting('another version of the service fills an index');
  const own = [serving, filling].filter((index) => index?.schema === schema);
  if (own.length === 0) throw waiting('there is no index of this version of the service');
  return own.flatMap((index) => index?.name ?? []);
}

const waiting = (internal: string) =>
  new AppError('unavailable', 'Searches are not available; retry shortly.', { internal });

/** Whether an index of this form must be filled before this version can serve. */
export const needsFilling = ({ serving, filling }: IndexState, schema: number): boolean =>
  serving?.schema !== schema && filling?.schema !== schema;

/** Begins to fill a new index. An index that is not full yet is given up. */
export function beginFilling(state: IndexState, index: StoreIndex, nowMs: number): IndexState {
  const filling = { ...index, startedAtMs: nowMs, afterDomain: '', written: 0, total: 0, lease: null };
  return { ...state, filling, retired: [...state.retired, ...retiredOf(state.filling, nowMs)] };
}

/** Takes or renews the lease on the index that is filled. Returns undefined while another instance holds it. */
export function takeFilling(
  state: IndexState,
  { holder, schema, nowMs, leaseMs }: { holder: string; schema: number; nowMs: number; leaseMs: number },
): (IndexState & { filling: Filling }) | undefined {
  const { filling } = state;
  if (filling?.schema !== schema || !mayTake(filling.lease, holder, nowMs)) return undefined;
  return { ...state, filling: { ...filling, lease: { holder, untilMs: nowMs + leaseMs } } };
}

/** Forgets indexes that the engine does not have, as after a loss of its data. Returns undefined if it has all of them. */
export function withoutMissing(state: IndexState, existing: ReadonlySet<string>): IndexState | undefined {
  const { serving, filling } = state;
  const isMissing = (index: StoreIndex | null) => index !== null && !existing.has(index.name);
  if (!isMissing(serving) && !isMissing(filling)) return undefined;
  return { ...state, serving: isMissing(serving) ? null : serving, filling: isMissing(filling) ? null : filling };
}

/** Makes the full index the serving one. */
export function endFilling(state: IndexState, nowMs: number): IndexState {
  if (!state.filling) return state;
  const { name, schema } = state.filling;
  return {
    serving: { name, schema },
    filling: null,
    retired: [...state.retired, ...retiredOf(state.serving, nowMs)],
  };
}

function retiredOf(index: StoreIndex | null, nowMs: number): Retired[] {
  return index ? [{ name: index.name, schema: index.schema, retiredAtMs: nowMs }] : [];
}

/** A batch that read the state before an index retired has ended long before this time. A write would make the index again. */
const minRetiredMs = hourMs;

/** Returns the retired indexes that can be deleted: no edition is of them. */
export const deletable = ({ retired }: IndexState, inUse: ReadonlySet<string>, nowMs: number): readonly Retired[] =>
  retired.filter(({ name, retiredAtMs }) => !inUse.has(name) && nowMs - retiredAtMs >= minRetiredMs);
