import { hasCode } from '@shopscope/client';
import { z } from 'zod';
import { quoted } from '../quoted.ts';
import { storeView, viewOf } from '../store-view.ts';
import { type DefinedTool, defineTool } from './tool.ts';

/** Bounds the tokens and the units of one call. */
export const maxDomains = 20;
/** The maximum length of an input of a batch. The API refuses the whole batch if one input is longer. */
const maxInputLength = 2_048;
const domain = z.string().min(3).max(253).describe('A domain or a URL of the store');

export const storeTools: readonly DefinedTool[] = [
  defineTool('look_up_store', {
    title: 'Look up a store',
    description:
      'The profile of one web store: platform, technologies with install state and dates, country, industry, catalogue, status, latest ' +
      'changes. Bills 1 unit (lookup_cached) when the store is known; an unknown domain is free and may still be a store.',
    input: { domain },
    output: { known: z.boolean(), store: storeView.nullable() },
    unitsAtMost: () => 1,
    async run({ domain }, { client, signal }) {
      try {
        const { store } = await client.getStore(domain, { signal });
        return { result: { known: true, store: viewOf(store) }, spent: 1 };
      } catch (error) {
        if (!hasCode(error, 'not_found')) throw error;
        return { result: { known: false, store: null }, spent: 0 };
      }
    },
  }),
  defineTool('enrich_stores', {
    title: 'Look up several stores',
    description:
      `The profiles of up to ${maxDomains} stores, in the order of the domains. Bills 1 unit (lookup_cached) for each known store. With ` +
      'refresh, scans of unknown and stale domains are asked for, 1 more unit (lookup_live) each; they take minutes: see wait_for_scan.',
    input: {
      domains: z.array(z.string().describe('A domain or a URL of a store')).min(1).max(maxDomains),
      refresh: z.boolean().default(false).describe('Ask for scans of unknown and stale domains'),
    },
    output: {
      results: z.array(
        z.object({
          input: z.string(),
          match: z
            .string()
            .describe('matched, stale (known, and observed long ago), no_match (unknown), error (no domain)'),
          reason: z.string().nullable().describe('Why there is no store: not_in_corpus or invalid_domain'),
          scan_job_id: z.string().nullable(),
          store: storeView.nullable(),
        }),
      ),
    },
    readOnly: false,
    unitsAtMost: ({ domains, refresh }) => domains.length * (refresh ? 2 : 1),
    async run({ domains, refresh }, { client, signal }) {
      const isSent = domains.map(({ length }) => length <= maxInputLength);
      const sent = domains.filter((_, at) => isSent[at]);
      const { results, billed } = await client.enrichStores({ domains: sent, refresh }, { signal });
      const answers = results.values();
      const views = domains.map((input, at) => {
        const answer = isSent[at] ? answers.next().value : undefined;
        return {
          input: quoted(input, 253),
          match: answer?.match ?? 'error',
          reason: answer ? answer.reason : 'invalid_domain',
          scan_job_id: answer?.scan_job_id ?? null,
          store: answer?.store ? viewOf(answer.store) : null,
        };
      });
      return { result: { results: views }, spent: billed.lookup_cached + billed.lookup_live };
    },
  }),
];
