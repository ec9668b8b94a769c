import type { IDataObject } from 'n8n-workflow';
import { type Operation, type Row, rowsOrErrors } from './operation.ts';
import { domainsOf } from './parameters.ts';

interface Account {
  plan: { limits: { enrich_batch_max: number } };
}

interface EnrichResponse {
  results: IDataObject[];
}

/**
 * Looks up the domains of all input items together, in requests of as many domains as the plan allows.
 *
 * - The rows come in the order of the domains, one for each.
 * - Each request has an Idempotency-Key of its own: a request that n8n repeats bills nothing again.
 */
export const enrichStores: Operation = async (context) => {
  const { api, itemCount, keyOf } = context;
  const inputs = Array.from({ length: itemCount }, (_, item) => item).flatMap((item) =>
    domainsOf(context, item).map((domain) => ({ domain, item })),
  );
  if (inputs.length === 0) return [];
  const items = inputs.map(({ item }) => item);
  let batchSize = 0;
  const failed = await rowsOrErrors(context, items, async () => {
    batchSize = (await api<Account>({ path: '/v1/account' })).plan.limits.enrich_batch_max;
    return [];
  });
  if (failed.length > 0) return failed;
  const refresh = context.parameter('refresh', 0) === true;
  const rows: Row[] = [];
  for (let first = 0; first < inputs.length; first += batchSize) {
    const batch = inputs.slice(first, first + batchSize);
    const body = { domains: batch.map(({ domain }) => domain), refresh };
    const ofBatch = await rowsOrErrors(context, items.slice(first, first + batchSize), async () => {
      const idempotencyKey = keyOf(`enrich-${first}`, body);
      const request = { method: 'POST', path: '/v1/stores/enrich', body, idempotencyKey } as const;
      const { results } = await api<EnrichResponse>(request);
      return results.map((json, at) => ({ json, item: batch[at]?.item ?? 0 }));
    });
    rows.push(...ofBatch);
  }
  return rows;
};
