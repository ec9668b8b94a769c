import { maxInputLength } from '@shopscope/domain-name';
import { z } from 'zod';
import { matchMeanings, meaningsText, reasonMeanings } from '../../contract/meanings.ts';
import { count, idWith, named, openEnum } from '../../contract/schemas.ts';
import { store } from '../get-store/contract.ts';

/** The upper bound of the enrich_batch_max of a plan. */
export const enrichBatchCeiling = 100;

export const enrichRequest = named(
  'EnrichRequest',
  z.strictObject({
    domains: z
      .array(z.string().max(maxInputLength))
      .max(enrichBatchCeiling)
      .describe('Hostnames or http(s) URLs; at most plan.limits.enrich_batch_max'),
    refresh: z
      .boolean()
      .default(false)
      .describe(
        'true queues a scan of every unknown or stale domain, one lookup_live each, which stays billed when the scan fails; ' +
          'needs the scope write:scans',
      ),
  }),
);

export const matchValues = ['matched', 'stale', 'no_match', 'error'] as const;
export const reasonValues = ['not_in_corpus', 'invalid_domain'] as const;

export const enrichResult = named(
  'EnrichResult',
  z.object({
    input: z.string().describe('The input as sent'),
    match: z
      .enum(matchValues)
      .describe(meaningsText(matchMeanings satisfies Record<(typeof matchValues)[number], string>)),
    reason: openEnum(reasonValues, { meanings: reasonMeanings }).nullable(),
    scan_requested: z.boolean().describe('true: a scan of this domain was queued, or this workspace already had one'),
    scan_job_id: idWith('job').nullable().describe('The job of the scan, which GET /v1/jobs/{job_id} reads'),
    store: store.nullable().describe('null with no_match and error'),
  }),
);

export const billed = named(
  'Billed',
  z.object({
    lookup_cached: count().describe('Matched and stale results'),
    lookup_live: count().describe('Scans that this call has queued'),
  }),
  'Units that this call billed.',
);

export const enrichResponse = named(
  'EnrichResponse',
  z.object({
    request_id: z.string().describe('Prefix req_, or the X-Request-Id that was sent'),
    billed,
    results: z.array(enrichResult).describe('Same order and length as domains'),
  }),
);
