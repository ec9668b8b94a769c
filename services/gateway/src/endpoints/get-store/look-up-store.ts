import type { IncomingHttpHeaders } from 'node:http';
import { type ChargeDependencies, chargeOf, chargeUnits, noFingerprint } from '@shopscope/charging';
import type { FoundStore } from '@shopscope/enrich';
import { newId } from '@shopscope/ids';
import { unitsOf } from '@shopscope/proto';
import { listsEntityTag } from '../../http/entity-tag.ts';
import type { BillableRequest, CallerRequest } from '../../keys/caller.ts';
import { canonicalDomain, notInCorpus, requireKnowableDomain } from '../canonical-domain.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeResponseBody } from '../store-bodies.ts';

const oneLookUp = unitsOf({ lookupCached: 1 });

/** Resolves to the store, or to undefined if it is not in the corpus. `input` is the text that the caller sent. */
export async function lookUpStore(
  { profiles }: Pick<Dependencies, 'profiles'>,
  input: string,
  { caller, origin, deadline }: CallerRequest,
): Promise<FoundStore | undefined> {
  const domain = canonicalDomain(input);
  requireKnowableDomain(caller.keyEnvironment, domain);
  return profiles.lookUp(domain, origin, deadline, caller.workspaceId);
}

/** `etag` is the tag for the workspace. `body` is undefined if the store is unchanged. */
export interface StoreAnswer {
  etag: string;
  body?: Buffer;
  remaining?: number | undefined;
}

/**
 * Answers with one store, and bills one lookup_cached. An unknown store (404), an unchanged store (304) and HEAD bill nothing. For
 * HEAD, an exhausted allowance causes no 402.
 *
 * - Only a tag of this workspace causes 304. `*` causes none, because it matches without a tag.
 * - HEAD evaluates no condition: a 200 in place of a 304 would reveal for free that a scan has completed.
 */
export async function answerStore(
  deps: ChargeDependencies & Pick<Dependencies, 'tagOf'>,
  request: BillableRequest & { isHead: boolean; headers: IncomingHttpHeaders },
  store: FoundStore | undefined,
): Promise<StoreAnswer> {
  if (!store) throw notInCorpus();
  const etag = deps.tagOf(request.caller.workspaceId, store.etag);
  const body = storeResponseBody(store.body);
  if (request.isHead) return { etag, body };
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag)) return { etag };
  const charge = { ...chargeOf(request), chargeId: newId('chg'), fingerprint: noFingerprint, units: oneLookUp };
  const { remaining } = await chargeUnits(deps, charge);
  return { etag, body, remaining };
}
