import { confirm, discard, type MergeContext, newCandidate, newConfirmed, type Signal } from './signal.ts';
import type { Outcome, StoreStatus } from './store-profile.ts';
import type { StoreState } from './values.ts';

export interface StatusBefore {
  status: StoreStatus;
  /** The open status_changed candidate, if any. */
  openCandidate: Signal | undefined;
  /** Slug of the platform, for the `technology` of the signals. */
  platform: string;
}

/**
 * Two observations of an outage that are closer together may show one short outage, of the store or of our own network. Most
 * such outages end within hours.
 */
const minOutageMs = 6 * 60 * 60 * 1000;

/**
 * Merges the observed state.
 *
 * - A new state -> is shown after two successive observations that agree, because one outage is not a closure.
 * - `unreachable` -> the confirming observation is at least six hours later than the first one. Until then the candidate stays.
 * - `active_storefront`, or any response of a site that was unreachable -> is shown at once.
 */
export function mergeStatus(before: StatusBefore, state: StoreState, context: MergeContext): Outcome<StoreStatus> {
  const { status, openCandidate } = before;
  const shown: StoreStatus = { state, asOf: context.at };
  const discarded = openCandidate ? [discard(openCandidate)] : [];
  if (state === status.state) return { value: shown, candidates: [], signals: discarded };

  if (openCandidate?.to === state && isTooEarly(openCandidate, context)) {
    return { value: status, candidates: [openCandidate], signals: [] };
  }
  if (openCandidate?.to === state)
    return { value: shown, candidates: [], signals: [confirm(openCandidate, context.at)] };

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

const isTooEarly = ({ to, effectiveAt }: Signal, { at }: MergeContext): boolean =>
  to === 'unreachable' && at.getTime() - effectiveAt.getTime() < minOutageMs;
