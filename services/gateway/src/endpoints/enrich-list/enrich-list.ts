import { contractUnitsOf } from '@shopscope/charging';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { bulkBodyOf } from '../jobs/bulk-job-body.ts';
import type { JobBody } from '../jobs/job-body.ts';
import type { listEnrichQuote, listEnrichRequest } from './contract.ts';

/** Enrichments of lists. subscriptions carries them out and bills them for the key of the request. */
type Subscriptions = Pick<Dependencies, 'subscriptions'>;

export interface EnrichListRequest extends Pick<z.output<typeof listEnrichRequest>, 'refresh' | 'max_units'> {
  listId: string;
  /** Requests with one token start one job. */
  requestToken: string;
}

export async function startEnrichment(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  { listId, refresh, max_units: maxUnits, requestToken }: EnrichListRequest,
): Promise<JobBody> {
  const { workspaceId, keyId } = request.caller;
  const asked = { workspaceId, keyId, listId, refresh, maxUnits, requestToken };
  return bulkBodyOf((await subscriptions.startListEnrich(asked, request)).job);
}

export async function quoteEnrichment(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  { listId, refresh }: Pick<EnrichListRequest, 'listId' | 'refresh'>,
): Promise<z.output<typeof listEnrichQuote>> {
  const { workspaceId, keyId } = request.caller;
  const quoted = await subscriptions.quoteListEnrich({ workspaceId, keyId, listId, refresh }, request);
  const { matched, stale, unknown, quote } = quoted;
  return { matched, stale, unknown, quote: contractUnitsOf(quote) };
}
