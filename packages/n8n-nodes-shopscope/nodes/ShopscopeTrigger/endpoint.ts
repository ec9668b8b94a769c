import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../shared/api.ts';
import { ApiFailure } from '../shared/api-failure.ts';
import { readPages } from '../shared/read-pages.ts';

/** What n8n stores of the webhook at the service. */
export interface StoredEndpoint extends IDataObject {
  webhookId?: string;
  secret?: string;
}

export interface EndpointSettings {
  url: string;
  eventTypes: string[];
  description: string;
  filters: IDataObject;
  watchlistIds: string[];
}

const webhooksPath = '/v1/webhooks';
const pathOf = (id: unknown) => `${webhooksPath}/${String(id)}`;

/**
 * Whether the stored webhook exists at the service and is not disabled. One that a person has paused stays, because its events wait for
 * it. Other webhooks with this URL are deleted: n8n has lost their secrets, for example because it ended between the request and the store.
 */
export async function endpointExists(api: Api, stored: StoredEndpoint, url: string): Promise<boolean> {
  const all = await readPages(api, { path: webhooksPath, query: {}, limit: Number.MAX_SAFE_INTEGER });
  let exists = false;
  for (const webhook of all.filter((other) => other.url === url)) {
    const isStored = webhook.id === stored.webhookId && stored.secret !== undefined;
    if (isStored && webhook.state !== 'disabled') exists = true;
    else await deleteEndpoint(api, String(webhook.id));
  }
  return exists;
}

export async function createEndpoint(api: Api, settings: EndpointSettings, newKey: () => string) {
  const { url, eventTypes, description, filters, watchlistIds } = settings;
  const body: IDataObject = { url, event_types: eventTypes, description };
  if (Object.keys(filters).length > 0) body.filters = filters;
  if (watchlistIds.length > 0) body.watchlist_ids = watchlistIds;
  const created = await api({ method: 'POST', path: webhooksPath, body, idempotencyKey: newKey() });
  // The response to a repeated request has no secret: the first response was lost.
  const { secret } = created.secret ? created : await rotateSecret(api, created.id, newKey());
  return { webhookId: String(created.id), secret: String(secret) };
}

const rotateSecret = (api: Api, id: unknown, idempotencyKey: string): Promise<IDataObject> =>
  api({ method: 'POST', path: `${pathOf(id)}/rotate_secret`, body: { overlap_hours: 0 }, idempotencyKey });

/** An absent webhook counts as deleted. */
export async function deleteEndpoint(api: Api, id: string): Promise<void> {
  await api({ method: 'DELETE', path: pathOf(id) }).catch(ignoreAbsent);
}

function ignoreAbsent(failure: unknown): void {
  if (!(failure instanceof ApiFailure && failure.status === 404)) throw failure;
}
