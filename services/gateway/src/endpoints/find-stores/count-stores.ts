import {
  type ChargeDependencies,
  type ChargeResult,
  chargeUnits,
  type NamedCharge,
  noFingerprint,
} from '@shopscope/charging';
import type { UnitKey, Units } from '@shopscope/proto';
import {
  isHiddenTotal,
  maskedDomain,
  pageSizes,
  quoteOf,
  type ShownCount,
  type StoreQuery,
  shownCount,
  unitsOfCount,
} from '@shopscope/store-search';
import type { Caller } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { answerHead } from './page-body.ts';
import { appliedMembers, openSearch, searchCallOf } from './search-request.ts';

type Charge = NamedCharge<Caller>;

export interface AskedCount {
  query: StoreQuery;
  facets: readonly string[];
  facetSize: number;
}

export interface CountAnswer {
  body: object;
  remaining: number | undefined;
  voidCharge: ChargeResult['voidCharge'] | undefined;
}

/** Counts stores exactly, and answers what the rules of counts allow. Only a query with `dropped` or `moved` is billed, after the count. */
export async function countStores(
  deps: ChargeDependencies & Pick<Dependencies, 'search' | 'subscriptions' | 'cursors' | 'balances' | 'metering'>,
  charge: Charge,
  { query, facets, facetSize }: AskedCount,
): Promise<CountAnswer> {
  const opened = openSearch(deps, charge, query, undefined);
  const call = await searchCallOf(deps, charge, opened);
  const counted = await deps.search.countStores({ ...call, facets: [...facets], facetSize }, charge);
  const units = unitsOfCount(query);
  const charged =
    units.historyQuery > 0 || charge.fingerprint
      ? await chargeUnits(deps, { ...charge, units, fingerprint: charge.fingerprint ?? noFingerprint })
      : undefined;
  const hasList = query.where.list !== undefined;
  const shown = shownCount(counted.count, { hasList });
  const body = {
    ...answerHead(charge.origin.requestId, charged?.units, counted),
    ...appliedMembers(opened),
    total: shown.total,
    not_judged: { ...(shown.notJudged && { scope_partial: shown.notJudged }) },
    quote: searchUnits(quoteOf(shown, query, pageSizes.default)),
    left: await leftOf(deps, charge),
    facets: shown.facets,
    sample: sampleOf(counted.sampleDomains, shown, hasList),
  };
  return { body, remaining: charged?.remaining, voidCharge: charged?.voidCharge };
}

const searchUnits = (units: Units | undefined) =>
  units ? { lookup_cached: units.lookupCached, history_query: units.historyQuery } : {};

/** Returns the units that are left of the period. Metering fails -> the last known units, or none. */
async function leftOf(
  { balances, metering }: Pick<Dependencies, 'balances' | 'metering'>,
  { caller, origin, deadline }: Pick<Charge, 'caller' | 'origin' | 'deadline'>,
) {
  const { workspaceId } = caller;
  await metering.getBalance(workspaceId, origin, deadline).then(
    (balance) => balances.put(workspaceId, balance),
    () => {},
  );
  const remaining = (unit: UnitKey) => balances.remaining(caller, origin, unit);
  const [lookups, queries] = [await remaining('lookupCached'), await remaining('historyQuery')];
  return {
    ...(lookups !== undefined && { lookup_cached: lookups }),
    ...(queries !== undefined && { history_query: queries }),
  };
}

const sampleOf = (domains: readonly string[], shown: ShownCount, hasList: boolean) =>
  hasList || isHiddenTotal(shown) ? [] : domains.map((domain) => ({ domain: maskedDomain(domain) }));
