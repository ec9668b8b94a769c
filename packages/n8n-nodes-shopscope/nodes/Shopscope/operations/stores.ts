import type { IDataObject } from 'n8n-workflow';
import { readPages } from '../../shared/read-pages.ts';
import { waitForJob } from './jobs.ts';
import { eachItem } from './operation.ts';
import { filtersOf, pathPart } from './parameters.ts';

export const getStore = eachItem(async (context, item) => [
  await context.api({ path: `/v1/stores/${pathPart(context, 'domain', item)}` }),
]);

/** Each row bills one lookup_cached, so there is always a limit. */
export const findStores = eachItem((context, item) =>
  readPages(context.api, {
    path: '/v1/stores',
    query: filtersOf(context, 'clauses', item),
    limit: Number(context.parameter('limit', item)),
  }),
);

/** Requests a scan and waits for its end. The row is the job, also if the scan failed. */
export const scanStore = eachItem(async (context, item) => {
  const path = `/v1/stores/${pathPart(context, 'domain', item)}/scans`;
  const idempotencyKey = context.keyOf(`scan-${item}`, path);
  const job = await context.api<IDataObject>({ method: 'POST', path, idempotencyKey });
  return [await waitForJob(context, job, item)];
});
