import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';
import type { Billing } from '../domain/billing.ts';
import type { Caller } from '../domain/caller.ts';
import { isStale } from '../domain/freshness.ts';
import { OutcomeUnknownError } from '../domain/outcome-unknown-error.ts';
import { type EnrichResult, enrichResponseBody } from '../domain/response-bodies.ts';
import { isZero, unitsOf } from '../domain/units.ts';
import type { FoundStore, ProfilesClient } from '../outbound/grpc/profiles.ts';
import type { Charged, ChargeUnits } from './charge-units.ts';
import type { ClaimedScans, RequestScans } from './request-scans.ts';

/**
 * Profiles of many stores, in the order of the inputs. Look-ups, then claims of scans, then what is billable, then the
 * charge (whose commit point comes after the scan requests are durable), then the answer. When the charge comes to
 * nothing, the claims that this call made are released, unless another execution of it may have paid for them.
 */
export interface Enrichment {
  inputs: readonly string[];
  refresh: boolean;
  /** Names the charge and its scans. */
  chargeId: string;
  /** Hash of the body when an Idempotency-Key names the charge, else undefined. */
  fingerprint: Buffer | undefined;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: Billing;
}

export interface Enriched {
  body: Buffer;
  /** lookup_cached units left, when the call billed. */
  remaining: number | undefined;
  /** Takes the charge back; undefined when nothing was charged. */
  undo: (() => Promise<void>) | undefined;
}

export type EnrichStores = (request: Enrichment) => Promise<Enriched>;

export interface EnrichStoresOptions {
  profiles: Pick<ProfilesClient, 'lookUpMany'>;
  requestScans: RequestScans;
  chargeUnits: ChargeUnits;
  clock: Pick<Clock, 'now'>;
}

const noFingerprint = Buffer.alloc(0);
const noScans: ClaimedScans = { jobs: new Map(), claimed: [], created: new Map() };

export function createEnrichStores(options: EnrichStoresOptions): EnrichStores {
  const { profiles, requestScans, chargeUnits, clock } = options;

  const lookUpAll = async (domains: Iterable<string>, { origin, deadline }: Enrichment) => {
    const distinct = [...new Set(domains)];
    const found = await profiles.lookUpMany(distinct, origin, deadline);
    return new Map(distinct.map((domain, index) => [domain, found[index]]));
  };

  return async (request) => {
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
    const isNamed = request.fingerprint !== undefined;
    const scans = { workspaceId: caller.workspaceId, chargeId, isNamed, origin, deadline };
    const wanted = request.refresh ? [...stores.keys()].filter((domain) => !isFresh(stores.get(domain))) : [];
    let claims = wanted.length > 0 ? await requestScans.claim(scans, wanted) : noScans;

    const lookupCached = domains.filter((domain) => domain !== undefined && stores.get(domain)).length;
    const units = unitsOf({ lookupCached, lookupLive: claims.claimed.length });
    let charged: Charged | undefined;
    let granted = false;
    let published = false;
    // A named charge is always asked about, even over nothing: it may have been settled by an execution before.
    if (!isZero(units) || request.fingerprint) {
      try {
        charged = await chargeUnits({
          chargeId,
          fingerprint: request.fingerprint ?? noFingerprint,
          units,
          operation: 'enrichStores',
          caller,
          origin,
          deadline,
          billing: request.billing,
          async beforeCommit({ lookupLive }) {
            granted = true;
            const covered = coveredBy(lookupLive, claims);
            await requestScans.publish(scans, covered);
            published = true;
            await requestScans.release(scans, unpaidOf(claims, covered));
            claims = covered;
          },
        });
      } catch (error) {
        // Once published, the jobs run unbilled; before that, the claims stand in others' way.
        const isOurs = !isNamed || granted || isRefusal(error);
        if (!published && isOurs && !(error instanceof OutcomeUnknownError)) await requestScans.release(scans, claims);
        throw error;
      }
    }

    const results = inputs.map((input, index): EnrichResult => {
      const domain = domains[index];
      if (domain === undefined) {
        return { input, match: 'error', reason: 'invalid_domain', scanJobId: undefined, store: undefined };
      }
      const store = stores.get(domain);
      const scanJobId = claims.jobs.get(domain);
      if (!store) return { input, match: 'no_match', reason: 'not_in_corpus', scanJobId, store: undefined };
      return { input, match: isFresh(store) ? 'matched' : 'stale', reason: null, scanJobId, store: store.body };
    });
    const body = enrichResponseBody({ requestId: origin.requestId, billed: charged?.units ?? units, results });
    return { body, remaining: charged?.remaining, undo: charged?.undo };
  };
}

/**
 * Metering has decided that nothing is billed. Any other end of a Reserve says nothing of a charge that an
 * Idempotency-Key names: a later execution may hold it, and have paid for the very claims that this one made.
 */
const isRefusal = (error: unknown) =>
  error instanceof AppError && (error.code === 'payment_required' || error.code === 'conflict');

/**
 * What a charge's units pay for. A charge that was settled before covers the scans of that execution, whose jobs were
 * made then; a domain that became stale since would be scanned unpaid, and waits for a request of its own.
 */
function coveredBy(lookupLive: number, claims: ClaimedScans): ClaimedScans {
  if (claims.claimed.length <= lookupLive) return claims;
  const before = claims.claimed.filter((domain) => !claims.created.has(domain));
  const made = claims.claimed.filter((domain) => claims.created.has(domain));
  const paid = new Set([...before, ...made].slice(0, lookupLive));
  const unpaid = new Set(claims.claimed.filter((domain) => !paid.has(domain)));
  return {
    ...claims,
    jobs: new Map([...claims.jobs].filter(([domain]) => !unpaid.has(domain))),
    claimed: claims.claimed.filter((domain) => paid.has(domain)),
  };
}

function unpaidOf({ jobs, created }: ClaimedScans, { claimed }: ClaimedScans) {
  const paid = new Set(claimed);
  return { jobs, created: new Map([...created].filter(([domain]) => !paid.has(domain))) };
}
