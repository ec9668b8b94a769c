/** Enrichments of lists. A member may start one, as a member may look stores up and request scans. */

import type { Client, components } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import { requireFormToken } from '../../app/domain/text.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import type { Job } from './jobs.ts';

type Quote = components['schemas']['ListEnrichQuote'];

/** What an enrichment of a list would bill. `cached`: for the stored profiles only. `refresh`: also for scans of unknown and stale stores. */
export interface Quotes {
  cached: Quote;
  refresh: Quote;
}

/** Reads the quote without scans. The other one follows from its counts, so the API counts the list once. Nothing is billed. */
export async function quotes(deps: Dependencies, visit: WorkspaceVisit, listId: string): Promise<Quotes> {
  const read = (client: Client) => client.quoteListEnrich(listId, { refresh: false });
  const cached = await callApi(deps, visit, read, { isReading: true });
  const { stale, unknown, quote } = cached;
  return { cached, refresh: { ...cached, quote: { ...quote, lookup_live: stale + unknown } } };
}

/**
 * Starts an enrichment that bills at most `maxUnits`. A form that is sent again starts no second job. The price of the list has grown above
 * `maxUnits` -> `invalid_request`, and nothing starts.
 */
export function start(
  deps: Dependencies,
  visit: WorkspaceVisit,
  listId: string,
  { refresh, maxUnits, token }: { refresh: boolean; maxUnits: number; token: string },
): Promise<Job> {
  requireFormToken(token);
  if (!Number.isSafeInteger(maxUnits) || maxUnits < 0)
    throw invalidField('form', 'The form is incomplete. Reload the page.');
  const options = { idempotencyKey: `dashboard-${token}` };
  return callApi(deps, visit, (client) => client.enrichList(listId, { refresh, max_units: maxUnits }, options));
}
