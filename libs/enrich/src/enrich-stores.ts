import type { Deadline } from '@shopscope/async';
import type { ChargeAttempt, ChargeDependencies, ChargeResult, NamedCharge, Payer } from '@shopscope/charging';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { isZero, ScanUnit, type Units, unitsOf } from '@shopscope/proto';
import { isDomainOf, type RequestFault, requestFaultOf } from '@shopscope/test-tenant';
import { chargeScans, type PaidScans } from './charge-scans.ts';
import { isStale } from './freshness.ts';
import { claimScans, type ScanClaims, type ScanDependencies } from './request-scans.ts';
import type { FoundStore, StoreLookUps } from './store-look-ups.ts';

/**
 * Looks up many stores and requests scans. The results are in the order of the inputs. The steps have this order:
 *
 * 1. Look up the stores.
 * 2. Claim the scans of unknown and stale domains.
 * 3. Charge the billable units. In the commit, the scan requests become durable, and then the usage event. `beforeEvent` is the first step
 *    of the commit.
 * 4. Respond.
 *
 * The deadline is cancelled before the commit -> nothing is requested or billed. It is cancelled later -> everything is.
 * A domain that no store of the environment can have -> it is unknown, and no scan of it is claimed.
 * A domain of the test tenant that stands for a fault of requests -> an error, and the domain is neither looked up nor scanned.
 * The charge fails -> see charge-scans.ts.
 */
export type EnrichRequest = NamedCharge<Payer & { plan: { freshnessDays: number } }> & {
  /** What callers send as domains. The caller of this function bounds their number. */
  inputs: readonly string[];
  /** Whether to request scans of unknown and stale domains. */
  refresh: boolean;
  /**
   * Makes the results durable before they are billed, so that a repeated execution returns what was billed. For a charge that an earlier
   * execution has settled, the results of that execution are the billed ones. If it rejects, nothing is requested or billed.
   */
  beforeEvent?: (unbilled: UnbilledResults, deadline: Deadline) => Promise<void>;
};

export interface UnbilledResults {
  results: readonly EnrichResult[];
  units: Units;
  attempt: ChargeAttempt;
}

export interface EnrichResult {
  input: string;
  match: 'matched' | 'stale' | 'no_match' | 'error';
  reason: 'not_in_corpus' | 'invalid_domain' | FaultReason | null;
  scanJobId: string | undefined;
  /** The store body. It is set for matched and stale stores. */
  store: Buffer | undefined;
}

/** Why a store of the test tenant gets an error. Only jobs show it: a request with such a domain fails as a whole before. */
export type FaultReason = 'rate_limited' | 'allowance_exhausted' | 'unavailable' | 'internal';

const faultReasons: Readonly<Record<RequestFault, FaultReason>> = {
  rate_limited: 'rate_limited',
  payment_required: 'allowance_exhausted',
  unavailable: 'unavailable',
  internal: 'internal',
};

export interface Enriched {
  results: readonly EnrichResult[];
  billed: Units;
  /** The number of lookup_cached units left. Undefined if nothing was billed. */
  remaining: number | undefined;
  /** Voids the charge. Undefined if nothing was charged. */
  voidCharge: (() => Promise<void>) | undefined;
}

export type EnrichDependencies = ScanDependencies & ChargeDependencies & { profiles: Pick<StoreLookUps, 'lookUpMany'> };

const noScans: ScanClaims = { jobIds: new Map(), claimed: [], created: new Map() };

export async function enrichStores(deps: EnrichDependencies, request: EnrichRequest): Promise<Enriched> {
  const { inputs, caller, origin, deadline, chargeId } = request;
  const environment = origin.environment ?? 'live';
  const faultOf = (domain: string) => (environment === 'test' ? requestFaultOf(domain) : undefined);
  const domains = inputs.map((input) => {
    const canonical = canonicalizeDomain(input);
    return canonical.ok ? canonical.value.domain : undefined;
  });
  // Step 1: the stores.
  const stores = await lookUpAll(
    deps,
    domains.filter((domain) => domain !== undefined).filter((domain) => faultOf(domain) === undefined),
    request,
  );

  const nowMs = deps.clock.now();
  const isFresh = (store: FoundStore | undefined) =>
    store !== undefined && !isStale(store.lastCompletedScanAtMs, caller.plan.freshnessDays, nowMs);
  // Step 2: the claims.
  const hasIdempotencyKey = request.fingerprint !== undefined;
  const unit = ScanUnit.LOOKUP_LIVE;
  const { isPermanent } = request;
  const scans = { workspaceId: caller.workspaceId, chargeId, hasIdempotencyKey, isPermanent, unit, origin, deadline };
  const isScanned = (domain: string) => isDomainOf(environment, domain) && !isFresh(stores.get(domain));
  const wanted = request.refresh ? [...stores.keys()].filter(isScanned) : [];
  let claims = wanted.length > 0 ? await claimScans(deps, scans, wanted) : noScans;

  const resultsWith = ({ jobIds }: ScanClaims) =>
    inputs.map((input, index): EnrichResult => {
      const domain = domains[index];
      if (domain === undefined) {
        return { input, match: 'error', reason: 'invalid_domain', scanJobId: undefined, store: undefined };
      }
      const fault = faultOf(domain);
      if (fault) {
        return { input, match: 'error', reason: faultReasons[fault], scanJobId: undefined, store: undefined };
      }
      const store = stores.get(domain);
      const scanJobId = jobIds.get(domain);
      if (!store) return { input, match: 'no_match', reason: 'not_in_corpus', scanJobId, store: undefined };
      return { input, match: isFresh(store) ? 'matched' : 'stale', reason: null, scanJobId, store: store.body };
    });
  // Step 3: the charge.
  const lookupCached = domains.filter((domain) => domain !== undefined && stores.get(domain)).length;
  const units = unitsOf({ lookupCached, lookupLive: claims.claimed.length });
  let charged: ChargeResult | undefined;
  // A charge with an Idempotency-Key is made even if it has no units: an earlier execution may have settled it.
  if (!isZero(units) || request.fingerprint) {
    const beforeEvent =
      request.beforeEvent &&
      (({ claims, ...paid }: PaidScans, commit: Deadline) =>
        request.beforeEvent?.({ results: resultsWith(claims), ...paid }, commit) ?? Promise.resolve());
    const charge = { ...request, scans, claims, units, unit: 'lookupLive', beforeEvent } as const;
    ({ charged, claims } = await chargeScans(deps, charge));
  }

  // Step 4: the response.
  return {
    results: resultsWith(claims),
    billed: charged?.units ?? units,
    remaining: charged?.remaining,
    voidCharge: charged?.voidCharge,
  };
}

async function lookUpAll(
  { profiles }: Pick<EnrichDependencies, 'profiles'>,
  domains: Iterable<string>,
  { caller, origin, deadline }: Pick<EnrichRequest, 'caller' | 'origin' | 'deadline'>,
): Promise<Map<string, FoundStore | undefined>> {
  const distinct = [...new Set(domains)];
  const found = await profiles.lookUpMany(distinct, origin, deadline, caller.workspaceId);
  return new Map(distinct.map((domain, index) => [domain, found[index]]));
}
