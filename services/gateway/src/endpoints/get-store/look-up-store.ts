import type { IncomingHttpHeaders } from 'node:http';
import type { Deadline } from '@shopscope/async';
import { type ChargeDependencies, chargeOf, chargeUnits, noFingerprint } from '@shopscope/charging';
import { newId } from '@shopscope/ids';
import { unitsOf } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { listsEntityTag } from '../../http/entity-tag.ts';
import type { BillableRequest } from '../../keys/caller.ts';
import type { FoundStore } from '../../peers/profiles-client.ts';
import { canonicalDomain, notInCorpus } from '../canonical-domain.ts';
import type { Dependencies } from '../dependencies.ts';
import { storeResponseBody } from '../store-bodies.ts';

const oneLookUp = unitsOf({ lookupCached: 1 });

/** The store, or undefined when it is not in the corpus. `input` is as the caller sent it. */
export const lookUpStore = async (
  { profiles }: Pick<Dependencies, 'profiles'>,
  input: string,
  origin: Origin,
  deadline: Deadline,
): Promise<FoundStore | undefined> => profiles.lookUp(canonicalDomain(input), origin, deadline);

/** `etag` is that of the workspace. `body` is undefined for an unchanged store. */
export interface StoreAnswer {
  etag: string;
  body?: Buffer;
  remaining?: number | undefined;
}

/**
 * Answers with one store. It bills one lookup_cached, except for an unknown (404) or unchanged (304) store and for HEAD, for
 * which an exhausted allowance causes no 402.
 *
 * - Only a tag of this workspace gets 304. `*` gets none, because it matches without one.
 * - HEAD evaluates no condition: 200 in place of 304 would tell for free that a scan has completed.
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
