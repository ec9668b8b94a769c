import { candidate, confirm, confirmed, discard, type Sighting, type Signal } from './signal.ts';
import type { Outcome, StoreStatus } from './store-profile.ts';
import type { StoreState } from './values.ts';

export interface StatusBefore {
  status: StoreStatus;
  /** The open status_changed, when there is one. */
  doubt: Signal | undefined;
  /** Slug of the platform, which status signals are about. */
  platform: string;
}

/**
 * A new state is shown after two successive observations that agree on it: an outage is not a closure. Only what cannot be
 * mistaken counts at once: a storefront that trades, and an answer from a site that was unreachable.
 */
export function mergeStatus(before: StatusBefore, state: StoreState, sighting: Sighting): Outcome<StoreStatus> {
  const { status, doubt } = before;
  const shown: StoreStatus = { state, asOf: sighting.at };
  const dropped = doubt ? [discard(doubt)] : [];
  if (state === status.state) return { value: shown, candidates: [], signals: dropped };

  if (doubt?.to === state) return { value: shown, candidates: [], signals: [confirm(doubt, sighting.at)] };

  const change = {
    type: 'status_changed',
    technology: before.platform,
    from: status.state,
    to: state,
    confidence: state === 'unreachable' ? 'medium' : 'high',
  } as const;
  if (state === 'active_storefront' || status.state === 'unreachable') {
    return { value: shown, candidates: [], signals: [...dropped, confirmed(sighting, change)] };
  }
  const opened = candidate(sighting, change);
  return { value: status, candidates: [opened], signals: [...dropped, opened] };
}
