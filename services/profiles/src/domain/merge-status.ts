import { isApart } from './agreement.ts';
import { confirm, discard, type MergeContext, newCandidate, newConfirmed, type Signal } from './signal.ts';
import type { Outcome, StoreStatus } from './store-profile.ts';
import type { StoreState } from './values.ts';

export interface StatusBefore {
  status: StoreStatus;
  /** The open status_changed candidate, if any. */
  openCandidate: Signal | undefined;
  /** The slug of the platform, for the member `technology` of the signals. */
  platform: string;
}

/**
 * Merges the observed state.
 *
 * - A new state is observed -> it is shown after two successive observations that agree and are at least six hours
 *   apart, because one outage is not a closure. Until then the candidate stays.
 * - `active_storefront` is observed, or a site that was unreachable responds -> the new state is shown at once.
 */
export function mergeStatus(before: StatusBefore, state: StoreState, context: MergeContext): Outcome<StoreStatus> {
  const { status, openCandidate } = before;
  const shown: StoreStatus = { state, asOf: context.at };
  const discarded = openCandidate ? [discard(openCandidate)] : [];
  if (state === status.state) return { value: shown, candidates: [], signals: discarded };

  if (openCandidate?.to === state) {
    if (!isApart(openCandidate.effectiveAt, context.at))
      return { value: status, candidates: [openCandidate], signals: [] };
    return { value: shown, candidates: [], signals: [confirm(openCandidate, context.at)] };
  }

  const change = {
    type: 'status_changed',
    technology: before.platform,
    from: status.state,
    to: state,
    confidence: state === 'unreachable' ? 'medium' : 'high',
  } as const;
  if (state === 'active_storefront' || status.state === 'unreachable') {
    return { value: shown, candidates: [], signals: [...discarded, newConfirmed(context, change)] };
  }
  const created = newCandidate(context, change);
  return { value: status, candidates: [created], signals: [...discarded, created] };
}
