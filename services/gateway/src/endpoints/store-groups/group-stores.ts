import { invalidField } from '@shopscope/errors';
import { type StoreInput, StoreOutcome, type StoreResult } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Page } from '../jobs/jobs.ts';
import type { groupPageQuery, storesAdd } from './contract.ts';
import type { StoreGroupKind } from './store-group.ts';

/** The stores of a list or watchlist. A cursor belongs to the workspace and the group. */
type Subscriptions = Pick<Dependencies, 'subscriptions'>;

/** The group that a request names. */
export interface NamedGroup {
  kind: StoreGroupKind;
  id: string;
}

interface Results {
  results: { input: string; domain: string | null; result: string }[];
}

const outcomes: Partial<Record<StoreOutcome, string>> = {
  [StoreOutcome.ADDED]: 'added',
  [StoreOutcome.PRESENT]: 'present',
  [StoreOutcome.REMOVED]: 'removed',
  [StoreOutcome.ABSENT]: 'absent',
  [StoreOutcome.INVALID_DOMAIN]: 'invalid_domain',
};

const resultsOf = (inputs: readonly string[], results: readonly StoreResult[]): Results => ({
  results: results.map(({ domain = null, outcome }, at) => {
    const result = outcomes[outcome];
    if (result === undefined) throw new Error(`the response has the unknown outcome ${outcome}`);
    return { input: inputs[at] ?? '', domain, result };
  }),
});

export async function addStores(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  { kind, id }: NamedGroup,
  body: z.output<typeof storesAdd>,
): Promise<Results> {
  if ((body.stores === undefined) === (body.domains === undefined)) {
    throw invalidField('body', 'must have either stores or domains');
  }
  const { workspaceId, plan } = request.caller;
  const stores: StoreInput[] =
    body.stores?.map(({ domain, external_id }) => ({ domain, externalId: external_id === null ? '' : external_id })) ??
    (body.domains ?? []).map((domain) => ({ domain, externalId: undefined }));
  const quota = kind.storeQuotaOf(plan.quotas);
  const { results } = await kind.add(subscriptions, { workspaceId, id, stores, quota }, request);
  return resultsOf(
    stores.map(({ domain }) => domain),
    results,
  );
}

export async function removeStores(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  { kind, id }: NamedGroup,
  domains: string[],
): Promise<Results> {
  const { workspaceId } = request.caller;
  const { results } = await kind.remove(subscriptions, { workspaceId, id, domains }, request);
  return resultsOf(domains, results);
}

export async function removeStore(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  { kind, id }: NamedGroup,
  domain: string,
): Promise<void> {
  await kind.removeOne(subscriptions, { workspaceId: request.caller.workspaceId, id, domain }, request);
}

export async function pageOfStores(
  { subscriptions, cursors }: Pick<Dependencies, 'subscriptions' | 'cursors'>,
  request: CallerRequest,
  { kind, id }: NamedGroup,
  { cursor, limit }: z.output<typeof groupPageQuery>,
): Promise<Page<object>> {
  const { workspaceId, keyEnvironment } = request.caller;
  const bound = [kind.cursorName, keyEnvironment, workspaceId, id];
  const afterDomain = cursor === undefined ? '' : cursors.verify(bound, cursor);
  const { stores, hasMore } = await kind.page(subscriptions, { workspaceId, id, afterDomain, limit }, request);
  const last = stores.at(-1);
  return {
    data: stores.map(({ domain, externalId = null, addedAtMs }) => ({
      domain,
      external_id: externalId,
      added_at: new Date(addedAtMs).toISOString(),
    })),
    next_cursor: hasMore && last ? cursors.sign(bound, last.domain) : null,
  };
}
