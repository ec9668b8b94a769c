import type { Deadline } from '@shopscope/async';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import type { Origin } from '@shopscope/telemetry';
import type { Caller } from '../domain/caller.ts';
import { matchesEntityTag } from '../domain/entity-tag.ts';
import { notADomain } from '../domain/not-a-domain.ts';
import type { RequestBilling } from '../domain/request-billing.ts';
import { storeResponseBody } from '../domain/response-bodies.ts';
import { unitsOf } from '../domain/units.ts';
import type { ProfilesClient } from '../outbound/grpc/profiles.ts';
import type { ChargeUnits } from './charge-units.ts';

/** Looks up one store. It bills one lookup_cached, except for an unknown (404) or unchanged (304) store and for HEAD. */
export interface LookUpStoreRequest {
  /** As the caller sent it. */
  input: string;
  ifNoneMatch: string | undefined;
  /** False for HEAD: nothing is reserved, so an exhausted allowance causes no 402. */
  isBilled: boolean;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
}

export type LookUpStoreResult =
  | { changed: false; etag: string }
  | { changed: true; etag: string; body: Buffer; remaining: number | undefined };

export type LookUpStore = (request: LookUpStoreRequest) => Promise<LookUpStoreResult>;

const notInCorpus = () =>
  new AppError(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  );

const noFingerprint = Buffer.alloc(0);
const oneLookUp = unitsOf({ lookupCached: 1 });

export function createLookUpStore(options: { profiles: ProfilesClient; chargeUnits: ChargeUnits }): LookUpStore {
  return async ({ input, ifNoneMatch, isBilled, caller, origin, deadline, billing }) => {
    const canonical = canonicalizeDomain(input);
    if (!canonical.ok) throw notADomain(input);
    const store = await options.profiles.lookUp(canonical.value.domain, origin, deadline);
    if (!store) throw notInCorpus();
    if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, store.etag))
      return { changed: false, etag: store.etag };
    const body = storeResponseBody(store.body);
    if (!isBilled) return { changed: true, etag: store.etag, body, remaining: undefined };
    const { remaining } = await options.chargeUnits({
      chargeId: newId('chg'),
      fingerprint: noFingerprint,
      units: oneLookUp,
      operation: 'getStore',
      caller,
      origin,
      deadline,
      billing,
    });
    return { changed: true, etag: store.etag, body, remaining };
  };
}
