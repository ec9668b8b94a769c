/**
 * Counts of stores by people.
 *
 * - While a person types, the service search counts. This is free, and no request of the workspace's key. Each person has a bounded number
 *   of counts a minute. Callers who ask the same within some seconds share one call: a count depends on the query alone.
 * - A query of changes, whose count is billed, and a query of lists are counted by the API, when the person asks for it. A form that is sent
 *   again gets the same answer and bills nothing.
 */

import type { StoreWhere } from '@shopscope/client';
import {
  type Amount,
  countMembers,
  decodeCount,
  encodeQuery,
  mostRows,
  storeQueryOf,
  where,
} from '@shopscope/store-search';
import { storeVocabulary } from '@shopscope/store-search/vocabulary';
import { canonicalJson, validate } from '@shopscope/text';
import { z } from 'zod';
import { requireFormToken } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { StoreCount } from '../domain/answers.ts';
import { reasonToAsk, type StoreFilter } from '../domain/store-filter.ts';
import { whereOf } from '../domain/where-of.ts';
import { idempotencyKeyOf, withFields } from './requests.ts';

const facets = ['country', 'platform', 'industry', 'technology'];
const facetSize = 8;
const body = z.strictObject({ where });

/** Counts the stores of a query while a person types. The query must have no {@link reasonToAsk}. */
export async function count(deps: Dependencies, visit: WorkspaceVisit, filter: StoreFilter): Promise<StoreCount> {
  if (reasonToAsk(filter)) throw new Error('this query is counted by the API');
  const query = await withFields(filter, () => {
    const parsed = validate(body, { where: whereOf(filter) }, 'body');
    return storeQueryOf({ where: parsed.where, sort: 'domain' }, storeVocabulary);
  });
  const { origin, membership, person } = visit;
  await deps.throttle.attempt([limits.storeCountOfPerson, person.userId]);
  // All workspaces see the same live stores. Test stores are those of one workspace.
  const stores = origin.environment === 'live' ? 'live' : keeperOf(visit);
  return deps.storeCounts.read(canonicalJson([stores, query]), async () => {
    const asked = { query: encodeQuery(query), editionId: '', facets, facetSize, context: undefined };
    const response = await deps.countClient.countStores({ ...asked, workspaceId: membership.workspaceId }, origin);
    const { edition, sampleDomains } = response;
    const members = countMembers(decodeCount(response), sampleDomains, query);
    const built = { id: edition?.id ?? '', built_at: new Date(edition?.builtAtMs ?? 0).toISOString() };
    return { ...members, edition: built, mostRows: mostRows(members.total) };
  });
}

/** Counts the stores of a query by the API, which bills a history query if the query reads changes. */
export async function countByApi(
  deps: Dependencies,
  visit: WorkspaceVisit,
  filter: StoreFilter,
  token: string,
): Promise<StoreCount> {
  requireFormToken(token);
  const request = { where: whereOf(filter) as StoreWhere, facets, facet_size: facetSize };
  const options = { idempotencyKey: idempotencyKeyOf(visit, ['count', token, request]) };
  const counted = await withFields(filter, () =>
    callApi(deps, visit, (client) => client.countStores(request, options)),
  );
  const { edition, total, not_judged, facets: found, sample } = counted;
  return { edition, total, not_judged, facets: found, sample, mostRows: mostRows(total as Amount) };
}
