import { deriveId } from '@shopscope/ids';
import type { retractionReasons, signalTypes } from '@shopscope/proto';
import type { Confidence } from './values.ts';

export type SignalType = (typeof signalTypes)[number];
export type RetractionReason = (typeof retractionReasons)[number];

/**
 * A change of a store. A change that one observation proves is confirmed at once. Any other change is a candidate until a later observation
 * confirms or discards it. A confirmed candidate is retracted if the next full observation refutes it (decision 61).
 */
export interface Signal {
  id: string;
  domain: string;
  type: SignalType;
  state: 'candidate' | 'confirmed' | 'discarded' | 'retracted';
  /** The slug of the technology. For platform_changed and status_changed, the slug of the platform. */
  technology: string;
  from: string | null;
  to: string | null;
  confidence: Confidence;
  /** When the change was first observed. */
  effectiveAt: Date;
  /** When the change was confirmed. It is null for candidates and discarded signals. */
  confirmedAt: Date | null;
  /** It is null unless the signal is retracted. */
  retractedAt: Date | null;
  retractedReason: RetractionReason | null;
}

export type Change = Pick<Signal, 'type' | 'technology' | 'from' | 'to' | 'confidence'>;

/** The observation that is merged. The ids of signals are derived from it, so a repeated merge creates the same ids. */
export interface MergeContext {
  domain: string;
  sequence: number;
  at: Date;
  signalSeed: string | undefined;
}

const maxRecentSignals = 5;

/** The tag of an id, and half of its other characters. */
const unseededLength = 17;

/** The seed changes only the end of an id. So signals with the same date have the same order with every seed. */
function signalIdOf({ domain, sequence, signalSeed }: MergeContext, { type, technology }: Change): string {
  const id = deriveId('evt', domain, String(sequence), type, technology);
  if (signalSeed === undefined) return id;
  return id.slice(0, unseededLength) + deriveId('evt', id, signalSeed).slice(unseededLength);
}

export function newCandidate(context: MergeContext, change: Change): Signal {
  return {
    id: signalIdOf(context, change),
    domain: context.domain,
    state: 'candidate',
    ...change,
    effectiveAt: context.at,
    confirmedAt: null,
    retractedAt: null,
    retractedReason: null,
  };
}

export function confirm(signal: Signal, at: Date): Signal {
  return { ...signal, state: 'confirmed', confirmedAt: at };
}

export function newConfirmed(context: MergeContext, change: Change): Signal {
  return confirm(newCandidate(context, change), context.at);
}

export function discard(signal: Signal): Signal {
  return { ...signal, state: 'discarded' };
}

export function retract(signal: Signal, at: Date, reason: RetractionReason): Signal {
  return { ...signal, state: 'retracted', retractedAt: at, retractedReason: reason };
}

/** Returns the last five confirmed signals, by descending `effectiveAt`. */
export function recentSignals(before: readonly Signal[], now: readonly Signal[]): Signal[] {
  const changed = new Set(now.map(({ id }) => id));
  const all = [...now.filter(({ state }) => state === 'confirmed'), ...before.filter(({ id }) => !changed.has(id))];
  const newest = all.toSorted((a, b) => timeOf(b.confirmedAt) - timeOf(a.confirmedAt) || byEffect(a, b));
  return newest.slice(0, maxRecentSignals).toSorted(byEffect);
}

/** The order of every list of signals: descending `effectiveAt`, then descending id. */
function byEffect(a: Signal, b: Signal): number {
  return b.effectiveAt.getTime() - a.effectiveAt.getTime() || (a.id < b.id ? 1 : -1);
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? 0;
}
