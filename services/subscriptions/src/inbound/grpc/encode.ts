import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import type { Member, Outcome, StoreResult } from '../../domain/member.ts';
import { forecastOf, nextRescanAt, type RescansChange, type RescansPaused } from '../../domain/rescans.ts';
import type { StoreGroup } from '../../domain/store-group.ts';
import type { Watchlist, WatchlistState } from '../../domain/watchlist.ts';
import type { WatchlistChange } from '../../operations/update-group.ts';

export const encodeList = ({ id, name, storeCount, createdAt, updatedAt }: StoreGroup): proto.List => ({
  id,
  name,
  storeCount,
  createdAtMs: createdAt.getTime(),
  updatedAtMs: updatedAt.getTime(),
});

const states: Record<WatchlistState, proto.WatchlistState> = {
  active: proto.WatchlistState.ACTIVE,
  paused: proto.WatchlistState.PAUSED,
};

const pauses: Record<RescansPaused, proto.RescansPaused> = {
  budget_exhausted: proto.RescansPaused.BUDGET_EXHAUSTED,
  allowance_exhausted: proto.RescansPaused.ALLOWANCE_EXHAUSTED,
  key_revoked: proto.RescansPaused.KEY_REVOKED,
};

export const encodeWatchlist = (watchlist: Watchlist, now: Date): proto.Watchlist => {
  const { signalTypes, technologies, state, rescans } = watchlist;
  return {
    ...encodeList(watchlist),
    signalTypes,
    technologies,
    state: states[state],
    rescanIntervalDays: rescans.intervalDays ?? undefined,
    budgetRefreshRequested: rescans.budget ?? undefined,
    rescansPaused: rescans.paused ? pauses[rescans.paused] : proto.RescansPaused.UNSPECIFIED,
    nextRescanAtMs: nextRescanAt(watchlist)?.getTime(),
    forecastRefreshRequested: forecastOf(watchlist, now),
  };
};

export const decodeRescans = ({
  rescanInterval: interval,
  budget,
  keyId,
}: Pick<proto.UpdateWatchlistRequest, 'rescanInterval' | 'budget' | 'keyId'>): RescansChange => ({
  interval,
  budget,
  keyId,
});

export function decodeWatchlistChange(
  request: proto.UpdateWatchlistRequest,
): WatchlistChange & Pick<proto.UpdateWatchlistRequest, 'watchlistId'> {
  const { watchlistId, name, signalTypes, technologies, state } = request;
  return {
    watchlistId,
    name,
    signalTypes: signalTypes?.values,
    technologies: technologies?.values,
    state: decodeState(state),
    rescans: decodeRescans(request),
  };
}

function decodeState(state: proto.WatchlistState): WatchlistState | undefined {
  if (state === proto.WatchlistState.UNSPECIFIED) return undefined;
  const [name] = Object.entries(states).find(([, value]) => value === state) ?? [];
  if (name !== 'active' && name !== 'paused') throw invalidField('state', 'must be a known state');
  return name;
}

export const encodeMember = ({ domain, externalId, addedAt }: Member): proto.MemberStore => ({
  domain,
  externalId: externalId ?? undefined,
  addedAtMs: addedAt.getTime(),
});

const outcomes: Record<Outcome, proto.StoreOutcome> = {
  added: proto.StoreOutcome.ADDED,
  present: proto.StoreOutcome.PRESENT,
  removed: proto.StoreOutcome.REMOVED,
  absent: proto.StoreOutcome.ABSENT,
  invalid_domain: proto.StoreOutcome.INVALID_DOMAIN,
};

export const encodeResult = ({ domain, outcome }: StoreResult): proto.StoreResult => ({
  domain,
  outcome: outcomes[outcome],
});
