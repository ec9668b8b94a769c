import type { IDataObject } from 'n8n-workflow';
import { readPages } from '../../shared/read-pages.ts';
import { waitForJob } from './jobs.ts';
import { eachItem } from './operation.ts';
import { filtersOf, limitOf, pathPart, textOf } from './parameters.ts';

export const getLists = eachItem((context, item) =>
  readPages(context.api, { path: '/v1/lists', query: {}, limit: limitOf(context, item) }),
);

export const createList = eachItem(async (context, item) => {
  const body = { name: textOf(context, 'name', item) };
  const idempotencyKey = context.keyOf(`create-${item}`, body);
  return [await context.api({ method: 'POST', path: '/v1/lists', body, idempotencyKey })];
});

export const getListStores = eachItem((context, item) =>
  readPages(context.api, {
    path: `/v1/lists/${pathPart(context, 'listId', item)}/stores`,
    query: {},
    limit: limitOf(context, item),
  }),
);

/** Enriches the stores of a list by a job. The rows are the results, or the quote alone with the option `dry_run`. */
export const enrichList = eachItem(async (context, item) => {
  const path = `/v1/lists/${pathPart(context, 'listId', item)}/enrich`;
  const body = filtersOf(context, 'options', item);
  const idempotencyKey = context.keyOf(`enrich-list-${item}`, [path, body]);
  const answer = await context.api<IDataObject>({ method: 'POST', path, body, idempotencyKey });
  if (body.dry_run === true) return [answer];
  const job = await waitForJob(context, answer, item);
  return readPages(context.api, {
    path: `/v1/jobs/${String(job.id)}/results`,
    query: {},
    limit: Number.MAX_SAFE_INTEGER,
  });
});
