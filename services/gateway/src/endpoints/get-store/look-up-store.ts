import type { Deadline } from '@shopscope/async';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import type { Origin } from '@shopscope/telemetry';
import type { ChargeUnits } from '../../charging/charge-units.ts';
import type { RequestBilling } from '../../charging/request-billing.ts';
import { unitsOf } from '../../charging/units.ts';
import { listsEntityTag, type WorkspaceTags } from '../../http/entity-tag.ts';
import type { Caller } from '../../keys/caller.ts';
import type { FoundStore, ProfilesClient } from '../../peers/profiles-client.ts';
import { storeResponseBody } from '../enrich-stores/response-bodies.ts';
import { notADomain } from '../not-a-domain.ts';

/**
 * Looks up one store. It bills one lookup_cached, except for an unknown (404) or unchanged (304) store and for HEAD.
 *
 * - Only a tag of this workspace gets 304. `*` gets none, because it matches without one.
 * - HEAD evaluates no condition: 200 in place of 304 would tell for free that a scan has completed.
 */
export interface LookUpStoreRequest {
  begun: BegunLookUp;
  ifNoneMatch: string | undefined;
  /** False for HEAD: nothing is reserved, so an exhausted allowance causes no 402. */
  isBilled: boolean;
  caller: Caller;
  origin: Origin;
  deadline: Deadline;
  billing: RequestBilling;
}

/** `etag` is that of the workspace. */
export type LookUpStoreResult =
  | { changed: false; etag: string }
  | { changed: true; etag: string; body: Buffer; remaining: number | undefined };

/** The store, or undefined when it is not in the corpus. */
export type BegunLookUp = Promise<FoundStore | undefined>;

export interface LookUpStore {
  /** `input` is as the caller sent it. */
  begin(request: Pick<LookUpStoreRequest, 'origin' | 'deadline'> & { input: string }): BegunLookUp;
  finish(request: LookUpStoreRequest): Promise<LookUpStoreResult>;
}

const notInCorpus = () =>
  new AppError(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  );

const noFingerprint = Buffer.alloc(0);
const oneLookUp = unitsOf({ lookupCached: 1 });

export function createLookUpStore(options: {
  profiles: ProfilesClient;
  chargeUnits: ChargeUnits;
  tagOf: WorkspaceTags;
}): LookUpStore {
  const read = async (input: string, origin: Origin, deadline: Deadline) => {
    const canonical = canonicalizeDomain(input);
    if (!canonical.ok) throw notADomain(input);
    return options.profiles.lookUp(canonical.value.domain, origin, deadline);
  };

  return {
    begin: ({ input, origin, deadline }) => read(input, origin, deadline),
    async finish({ begun, ifNoneMatch, isBilled, caller, origin, deadline, billing }) {
      const store = await begun;
      if (!store) throw notInCorpus();
      const etag = options.tagOf(caller.workspaceId, store.etag);
      if (isBilled && ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) return { changed: false, etag };
      const body = storeResponseBody(store.body);
      if (!isBilled) return { changed: true, etag, body, remaining: undefined };
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
      return { changed: true, etag, body, remaining };
    },
  };
}
