import { invalidField } from '@shopscope/errors';
import {
  type RescanBudget,
  type RescanInterval,
  RescansPaused,
  type Watchlist,
  WatchlistState,
} from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Page } from '../jobs/jobs.ts';
import type { groupPageQuery } from '../store-groups/contract.ts';
import { pageOfGroups } from '../store-groups/page-of-groups.ts';
import type { rescansPausedReasons, watchlistCreate, watchlistStates, watchlistUpdate } from './contract.ts';

/**
 * The watchlists of the caller's workspace, in the environment of its key.
 *
 * - The id belongs to another workspace, is unknown, or its watchlist is deleted -> 404.
 * - The vocabulary does not have a technology -> 400. An earlier slug of a product becomes the present one.
 * - metering does not respond in time -> `forecast.left` is null.
 */
type Deps = Pick<Dependencies, 'subscriptions' | 'profiles' | 'balances'>;

const timeOf = (ms: number) => new Date(ms).toISOString();

const states: Partial<Record<WatchlistState, (typeof watchlistStates)[number]>> = {
  [WatchlistState.ACTIVE]: 'active',
  [WatchlistState.PAUSED]: 'paused',
};
const protoStates = { active: WatchlistState.ACTIVE, paused: WatchlistState.PAUSED };

const pauses: Partial<Record<RescansPaused, (typeof rescansPausedReasons)[number] | null>> = {
  [RescansPaused.UNSPECIFIED]: null,
  [RescansPaused.BUDGET_EXHAUSTED]: 'budget_exhausted',
  [RescansPaused.ALLOWANCE_EXHAUSTED]: 'allowance_exhausted',
  [RescansPaused.KEY_REVOKED]: 'key_revoked',
};

function bodyOf(watchlist: Watchlist | undefined, left: number | undefined) {
  if (!watchlist) throw new Error('the response has no watchlist');
  const { state, rescansPaused, nextRescanAtMs } = watchlist;
  const [shownState, shownPause] = [states[state], pauses[rescansPaused]];
  if (shownState === undefined || shownPause === undefined) {
    throw new Error(`the response has the unknown state ${state} or pause ${rescansPaused}`);
  }
  return {
    id: watchlist.id,
    name: watchlist.name,
    signal_types: watchlist.signalTypes,
    technologies: watchlist.technologies,
    rescan_interval_days: watchlist.rescanIntervalDays ?? null,
    budget: { refresh_requested: watchlist.budgetRefreshRequested ?? null },
    state: shownState,
    rescans_paused: shownPause,
    store_count: watchlist.storeCount,
    next_rescan_at: nextRescanAtMs === undefined ? null : timeOf(nextRescanAtMs),
    forecast: { refresh_requested: watchlist.forecastRefreshRequested, left: left ?? null },
    created_at: timeOf(watchlist.createdAtMs),
    updated_at: timeOf(watchlist.updatedAtMs),
  };
}

const leftOf = async ({ balances }: Pick<Deps, 'balances'>, { caller, origin }: CallerRequest) =>
  balances.remaining(caller, origin, 'refreshRequested');

async function answerOf(deps: Deps, request: CallerRequest, watchlist: Watchlist | undefined): Promise<object> {
  return bodyOf(watchlist, await leftOf(deps, request));
}

type Members = z.output<typeof watchlistUpdate>;

/** Validates the members that depend on the plan and the vocabulary. Returns them as the service takes them. */
async function checkedMembers(
  { profiles }: Pick<Deps, 'profiles'>,
  { caller, origin, deadline }: CallerRequest,
  {
    technologies,
    rescan_interval_days: days,
    budget,
  }: Pick<Members, 'technologies' | 'rescan_interval_days' | 'budget'>,
): Promise<{
  technologies: string[] | undefined;
  rescanInterval: RescanInterval | undefined;
  budget: RescanBudget | undefined;
}> {
  const { freshnessDays } = caller.plan;
  if (typeof days === 'number' && days < freshnessDays) {
    throw invalidField(
      'rescan_interval_days',
      `must be at least ${freshnessDays}, the freshness_days of the plan, not ${days}`,
    );
  }
  return {
    technologies: technologies?.length
      ? (await profiles.resolveValues({ technologies }, origin, deadline)).technologies
      : technologies,
    rescanInterval: days === undefined ? undefined : { days: days ?? undefined },
    budget: budget && { refreshRequested: budget.refresh_requested ?? undefined },
  };
}

/** Calls with one token create one watchlist. */
export async function create(
  deps: Deps,
  request: CallerRequest,
  { name, signal_types: signalTypes = [], ...members }: z.output<typeof watchlistCreate>,
  requestToken: string,
): Promise<object> {
  const { workspaceId, keyId, plan } = request.caller;
  const { technologies = [], ...rescans } = await checkedMembers(deps, request, members);
  const quota = plan.quotas.watchlists;
  const creation = { workspaceId, name, signalTypes, technologies, ...rescans, quota, requestToken, keyId };
  return answerOf(deps, request, (await deps.subscriptions.createWatchlist(creation, request)).watchlist);
}

export async function read(deps: Deps, request: CallerRequest, watchlistId: string): Promise<object> {
  const { workspaceId } = request.caller;
  return answerOf(
    deps,
    request,
    (await deps.subscriptions.getWatchlist({ workspaceId, watchlistId }, request)).watchlist,
  );
}

export async function pageOfWatchlists(
  deps: Pick<Dependencies, 'subscriptions' | 'cursors' | 'balances'>,
  request: CallerRequest,
  query: z.output<typeof groupPageQuery>,
): Promise<Page<object>> {
  const left = await leftOf(deps, request);
  return pageOfGroups(deps, request, query, {
    cursorName: 'watchlists',
    async read(page) {
      const { watchlists, hasMore } = await deps.subscriptions.listWatchlists(page, request);
      return { rows: watchlists, hasMore };
    },
    bodyOf: (watchlist: Watchlist) => bodyOf(watchlist, left),
  });
}

export async function change(
  deps: Deps,
  request: CallerRequest,
  watchlistId: string,
  { name, signal_types: signalTypes, state, ...members }: Members,
): Promise<object> {
  const { workspaceId, keyId } = request.caller;
  const { technologies, ...rescans } = await checkedMembers(deps, request, members);
  const changed = {
    workspaceId,
    watchlistId,
    name,
    signalTypes: signalTypes && { values: signalTypes },
    technologies: technologies && { values: technologies },
    state: state ? protoStates[state] : WatchlistState.UNSPECIFIED,
    ...rescans,
    keyId,
  };
  return answerOf(deps, request, (await deps.subscriptions.updateWatchlist(changed, request)).watchlist);
}

export async function remove(
  { subscriptions }: Pick<Deps, 'subscriptions'>,
  request: CallerRequest,
  watchlistId: string,
): Promise<void> {
  await subscriptions.deleteWatchlist({ workspaceId: request.caller.workspaceId, watchlistId }, request);
}
