import type { ChargeResult } from '@shopscope/charging';
import { dayMs } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { invalidField } from '@shopscope/errors';
import { isZero, ScanUnit, unitsOf } from '@shopscope/proto';
import { pluralized } from '../../http/input/sanitized-input.ts';
import type { PendingCharge } from '../../idempotency/run-idempotently.ts';
import type { Caller } from '../../keys/caller.ts';
import type { FoundStore } from '../../peers/profiles-client.ts';
import { chargeScans } from '../../scans/charge-scans.ts';
import { claimScans, type ScanClaims } from '../../scans/request-scans.ts';
import type { Dependencies } from '../dependencies.ts';
import { type EnrichResult, enrichResponseBody } from '../store-bodies.ts';

/**
 * Looks up many stores and requests scans, after the batch of the workspace got its turn. The results are in the order of the inputs. The
 * steps have this order:
 *
 * 1. Look up the stores.
 * 2. Claim the scans of unknown and stale domains.
 * 3. Charge the billable units. In the commit, the scan requests become durable, and then the usage event.
 * 4. Respond.
 *
 * The caller disconnects before the commit -> nothing is requested or billed. It disconnects later -> everything is.
 * The charge fails -> see charge-scans.ts.
 */
export type EnrichStoresRequest = PendingCharge & { inputs: readonly string[]; refresh: boolean };

export interface EnrichStoresResult {
  body: Buffer;
  /** The number of lookup_cached units left. Undefined if nothing was billed. */
  remaining: number | undefined;
  /** Voids the charge. Undefined if nothing was charged. */
  voidCharge: (() => Promise<void>) | undefined;
}

const noScans: ScanClaims = { jobIds: new Map(), claimed: [], created: new Map() };

export function enrichStores(deps: Dependencies, request: EnrichStoresRequest): Promise<EnrichStoresResult> {
  const { caller, inputs, deadline } = request;
  const { workspaceId, plan } = caller;
  const batch = { workspaceId, plan, domains: inputs.length, deadline };
  return deps.turns.run(batch, () => enrich(deps, request));
}

export function requireBatchSize({ enrichBatchMax: max, slug }: Caller['plan'], size: number): void {
  if (size <= max) return;
  const bound = `must have at most ${pluralized(max, { one: 'entry', many: 'entries' })} on the plan ${slug}`;
  throw invalidField('domains', `${bound}, not ${size}`);
}

async function enrich(deps: Dependencies, request: EnrichStoresRequest): Promise<EnrichStoresResult> {
  const { inputs, caller, origin, deadline, chargeId } = request;
  const domains = inputs.map((input) => {
    const canonical = canonicalizeDomain(input);
    return canonical.ok ? canonical.value.domain : undefined;
  });
  // Step 1: the stores.
  const stores = await lookUpAll(
    deps,
    domains.filter((domain) => domain !== undefined),
    request,
  );

  const nowMs = deps.clock.now();
  const isFresh = (store: FoundStore | undefined) =>
    store !== undefined && !isStale(store.lastCompletedScanAtMs, caller.plan.freshnessDays, nowMs);
  // Step 2: the claims.
  const hasIdempotencyKey = request.fingerprint !== undefined;
  const unit = ScanUnit.LOOKUP_LIVE;
  const scans = { workspaceId: caller.workspaceId, chargeId, hasIdempotencyKey, unit, origin, deadline };
  const wanted = request.refresh ? [...stores.keys()].filter((domain) => !isFresh(stores.get(domain))) : [];
  let claims = wanted.length > 0 ? await claimScans(deps, scans, wanted) : noScans;

  // Step 3: the charge.
  const lookupCached = domains.filter((domain) => domain !== undefined && stores.get(domain)).length;
  const units = unitsOf({ lookupCached, lookupLive: claims.claimed.length });
  let charged: ChargeResult | undefined;
  // A charge with an Idempotency-Key is made even if it has no units: an earlier execution may have settled it.
  if (!isZero(units) || request.fingerprint) {
    ({ charged, claims } = await chargeScans(deps, { ...request, scans, claims, units, unit: 'lookupLive' }));
  }

  // Step 4: the response.
  const results = inputs.map((input, index): EnrichResult => {
    const domain = domains[index];
    if (domain === undefined) {
      return { input, match: 'error', reason: 'invalid_domain', scanJobId: undefined, store: undefined };
    }
    const store = stores.get(domain);
    const scanJobId = claims.jobIds.get(domain);
    if (!store) return { input, match: 'no_match', reason: 'not_in_corpus', scanJobId, store: undefined };
    return { input, match: isFresh(store) ? 'matched' : 'stale', reason: null, scanJobId, store: store.body };
  });
  const body = enrichResponseBody({ requestId: origin.requestId, billed: charged?.units ?? units, results });
  return { body, remaining: charged?.remaining, voidCharge: charged?.voidCharge };
}

/** Whether the last completed scan of a profile is older than the plan's days. With 0 days, every profile is stale. */
export function isStale(lastCompletedScanAtMs: number, freshnessDays: number, nowMs: number): boolean {
  return freshnessDays === 0 || nowMs - lastCompletedScanAtMs > freshnessDays * dayMs;
}

async function lookUpAll(
  { profiles }: Dependencies,
  domains: Iterable<string>,
  { origin, deadline }: EnrichStoresRequest,
): Promise<Map<string, FoundStore | undefined>> {
  const distinct = [...new Set(domains)];
  const found = await profiles.lookUpMany(distinct, origin, deadline);
  return new Map(distinct.map((domain, index) => [domain, found[index]]));
}
