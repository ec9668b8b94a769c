import { deriveId } from '@shopscope/ids';
import type { Confidence } from './values.ts';

export const signalTypes = [
  'technology_added',
  'technology_removed',
  'install_state_changed',
  'platform_changed',
  'status_changed',
] as const;
export type SignalType = (typeof signalTypes)[number];

/**
 * A change of a store. What one observation can prove is confirmed at once; what needs a second one is a candidate until
 * the next observations confirm or discard it.
 */
export interface Signal {
  id: string;
  domain: string;
  type: SignalType;
  state: 'candidate' | 'confirmed' | 'discarded';
  /** Technology slug; the platform's for platform_changed and status_changed. */
  technology: string;
  from: string | null;
  to: string | null;
  confidence: Confidence;
  /** When the change was first seen. */
  effectiveAt: Date;
  /** When the change was certain; null for candidates and discarded ones. */
  confirmedAt: Date | null;
}

export interface Change {
  type: SignalType;
  technology: string;
  from: string | null;
  to: string | null;
  confidence: Confidence;
}

/** Where a change was seen: signals of the same sighting have the same ids, so a repeated merge repeats them. */
export interface Sighting {
  domain: string;
  sequence: number;
  at: Date;
}

const recentSignalsMax = 5;

export function candidate(sighting: Sighting, change: Change): Signal {
  return {
    id: deriveId('evt', sighting.domain, String(sighting.sequence), change.type, change.technology),
    domain: sighting.domain,
    state: 'candidate',
    ...change,
    effectiveAt: sighting.at,
    confirmedAt: null,
  };
}

export function confirm(signal: Signal, at: Date): Signal {
  return { ...signal, state: 'confirmed', confirmedAt: at };
}

export function confirmed(sighting: Sighting, change: Change): Signal {
  return confirm(candidate(sighting, change), sighting.at);
}

export function discard(signal: Signal): Signal {
  return { ...signal, state: 'discarded' };
}

/** The last five to be confirmed, newest effective first. */
export function recentSignals(before: readonly Signal[], now: readonly Signal[]): Signal[] {
  const all = [...now.filter((signal) => signal.state === 'confirmed'), ...before];
  const newest = all.toSorted((a, b) => timeOf(b.confirmedAt) - timeOf(a.confirmedAt) || byEffect(a, b));
  return newest.slice(0, recentSignalsMax).toSorted(byEffect);
}

/** Newest effective first, id as tiebreak: the order of every list of signals. */
function byEffect(a: Signal, b: Signal): number {
  return b.effectiveAt.getTime() - a.effectiveAt.getTime() || (a.id < b.id ? 1 : -1);
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? 0;
}
