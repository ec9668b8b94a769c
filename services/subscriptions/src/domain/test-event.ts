import type { Tenant } from '@shopscope/environment';
import type { WorkspaceEventType } from '@shopscope/proto';
import type { NewEvent, Related } from './event.ts';

/** The members of data that name what an event is about. */
interface Subject {
  domain?: unknown;
  storefront_id?: unknown;
  job_id?: unknown;
  watchlist_id?: unknown;
  watchlist_ids?: unknown;
  webhook_id?: unknown;
}

/** The event that a caller puts into the sequence of the test environment. Real events of its type have the same members. */
export function testEvent(
  tenant: Tenant<'test'>,
  id: string,
  type: WorkspaceEventType,
  data: Record<string, unknown>,
): NewEvent<'test'> {
  // The id of a confirmed signal is the id of its event.
  const own = type === 'signal.confirmed' ? { ...data, id } : data;
  return {
    tenant,
    id,
    type,
    watchlistIds: watchlistIdsOf(own),
    related: relatedOf(own),
    data: JSON.stringify(own),
  };
}

function watchlistIdsOf({ watchlist_id: id, watchlist_ids: ids }: Subject): string[] {
  const all = Array.isArray(ids) ? ids : [id];
  return all.filter((each) => typeof each === 'string');
}

function relatedOf({ domain, storefront_id, job_id, watchlist_id, webhook_id }: Subject): Related | null {
  if (typeof storefront_id === 'string') return { type: 'store', id: storefront_id, path: `/v1/stores/${domain}` };
  if (typeof job_id === 'string') return { type: 'job', id: job_id, path: `/v1/jobs/${job_id}` };
  if (typeof watchlist_id === 'string') {
    return { type: 'watchlist', id: watchlist_id, path: `/v1/watchlists/${watchlist_id}` };
  }
  if (typeof webhook_id === 'string') return { type: 'webhook', id: webhook_id, path: `/v1/webhooks/${webhook_id}` };
  return null;
}
