import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { ScanUnit } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import type { ChargeResult } from '../../charging/charge-units.ts';
import type { RequestBilling } from '../../charging/request-billing.ts';
import { isZero, unitsOf } from '../../charging/units.ts';
import type { Caller } from '../../keys/caller.ts';
import type { FoundStore, ProfilesClient } from '../../peers/profiles-client.ts';
import type { ChargeScans } from '../../scans/charge-scans.ts';
import type { RequestScans, ScanClaims } from '../../scans/request-scans.ts';
import { isStale } from './freshness.ts';
import { type EnrichResult, enrichResponseBody } from './response-bodies.ts';
import type { WorkspaceTurns } from './workspace-turns.ts';

/**
 * Looks up many stores and requests scans, when it is the turn of the workspace's batch. Results are in the order of the inputs. The
 * order of the steps:
 *
 * 1. Look up the stores.
 * 2. Claim the scans of unknown and stale domains.
 * 3. Charge the billable units. The commit begins, the scan requests become durable, and then the usage event.
 * 4. Respond.
 *
 * The caller disconnects -> before the commit nothing is requested or billed; from then on everything is.
 * Failure: the charge fails -> see {@link ChargeScans}.
 */
export interface EnrichStoresRequest {
  inputs: readonly string[];
  refresh: boolean;
  /** The id of the charge and of its scans. */
  chargeId: string;
  /** Hash of the body of a request with an Idempotency-Key, else undefined. */
  fingerprint: Buffer | undefined;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
}

export interface EnrichStoresResult {
  body: Buffer;
  /** lookup_cached units left; undefined when nothing was billed. */
  remaining: number | undefined;
  /** Voids the charge; undefined when nothing was charged. */
  voidCharge: (() => Promise<void>) | undefined;
}

export type EnrichStores = (request: EnrichStoresRequest) => Promise<EnrichStoresResult>;

export interface EnrichStoresOptions {
  profiles: Pick<ProfilesClient, 'lookUpMany'>;
  requestScans: RequestScans;
  chargeScans: ChargeScans;
  turns: WorkspaceTurns;
  clock: Pick<Clock, 'now'>;
}

const noScans: ScanClaims = { jobIds: new Map(), claimed: [], created: new Map() };

export function createEnrichStores(options: EnrichStoresOptions): EnrichStores {
  const { profiles, requestScans, chargeScans, turns, clock } = options;

  const lookUpAll = async (domains: Iterable<string>, { origin, deadline }: EnrichStoresRequest) => {
    const distinct = [...new Set(domains)];
    const found = await profiles.lookUpMany(distinct, origin, deadline);
    return new Map(distinct.map((domain, index) => [domain, found[index]]));
  };

  const enrich: EnrichStores = async (request) => {
    const { inputs, caller, origin, deadline, chargeId } = request;
    const domains = inputs.map((input) => {
      const canonical = canonicalizeDomain(input);
      return canonical.ok ? canonical.value.domain : undefined;
    });
    const stores = await lookUpAll(
      domains.filter((domain) => domain !== undefined),
      request,
    );

    const nowMs = clock.now();
    const isFresh = (store: FoundStore | undefined) =>
      store !== undefined && !isStale(store.lastCompletedScanAtMs, caller.plan.freshnessDays, nowMs);
    const hasIdempotencyKey = request.fingerprint !== undefined;
    const unit = ScanUnit.LOOKUP_LIVE;
    const scans = { workspaceId: caller.workspaceId, chargeId, hasIdempotencyKey, unit, origin, deadline };
    const wanted = request.refresh ? [...stores.keys()].filter((domain) => !isFresh(stores.get(domain))) : [];
    let claims = wanted.length > 0 ? await requestScans.claim(scans, wanted) : noScans;

    const lookupCached = domains.filter((domain) => domain !== undefined && stores.get(domain)).length;
    const units = unitsOf({ lookupCached, lookupLive: claims.claimed.length });
    let charged: ChargeResult | undefined;
    // A charge with an Idempotency-Key is made even over no units: an earlier execution may have settled it.
    if (!isZero(units) || request.fingerprint) {
      ({ charged, claims } = await chargeScans({
        ...{ scans, claims, units, unit: 'lookupLive', operation: 'enrichStores' },
        ...{ fingerprint: request.fingerprint, caller, billing: request.billing },
      }));
    }

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
  };
  return (request) => {
    const { caller, inputs, deadline } = request;
    const { workspaceId, plan } = caller;
    return turns.run({ workspaceId, plan, domains: inputs.length, deadline }, () => enrich(request));
  };
}
