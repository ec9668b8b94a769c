import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What exists before the run, so that the fuzzer finds it. */
export interface KnownData {
  listId: string;
  watchlistId: string;
  webhookId: string;
  /** The URL of the webhook. Generated webhooks have it, too. */
  receiverUrl: string;
  deliveryId: string;
  /** An export that has ended, with one part. */
  exportId: string;
}

/** Stores of the dictionary `known-domains` in schemathesis.toml. */
const knownDomains = ['atelier-sucre.example', 'harbour-books.example', 'shopscope-demo.myshopify.com'];
const pollMs = 200;
const timeoutMs = 60_000;

/** Creates a list and a watchlist with the stores that the fuzzer knows, a webhook with a delivery, and an export. */
export async function createKnownData(apiUrl: string, key: string, receiverUrl: string): Promise<KnownData> {
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(apiUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const createGroup = async (kind: string) => {
    const { id } = await send<{ id: string }>('POST', `/v1/${kind}`, { name: 'Known stores' });
    await send('POST', `/v1/${kind}/${id}/stores`, { domains: knownDomains });
    return id;
  };
  const listId = await createGroup('lists');
  const watchlistId = await createGroup('watchlists');
  const webhook = { url: receiverUrl, event_types: ['watchlist.paused'] };
  const { id: webhookId } = await send<{ id: string }>('POST', '/v1/webhooks', webhook);
  // The pause makes an event.
  for (const state of ['paused', 'active']) await send('PATCH', `/v1/watchlists/${watchlistId}`, { state });
  const deliveryId = await poll('a delivery of the event of the watchlist', async () => {
    const { data } = await send<{ data: { id: string }[] }>('GET', `/v1/webhooks/${webhookId}/deliveries`);
    return data[0]?.id;
  });
  // The next edition has the stores, of which some dozens match.
  const exportId = await poll('an export with a part', async () => {
    const body = { where: { technologies: [{ any: ['okendo'] }] }, format: 'ndjson' };
    const { id } = await send<{ id: string }>('POST', '/v1/stores/export', body);
    await poll('the end of the export', async () => {
      const { state } = await send<{ state: string }>('GET', `/v1/jobs/${id}`);
      return state === 'queued' || state === 'running' ? undefined : state;
    });
    const { data } = await send<{ data: object[] }>('GET', `/v1/jobs/${id}/results`);
    return data.length > 0 ? id : undefined;
  });
  return { listId, watchlistId, webhookId, receiverUrl, deliveryId, exportId };
}

/** Calls `ask` until its result is not undefined. Throws an error after {@link timeoutMs}. */
async function poll<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  while (performance.now() < endMs) {
    const result = await ask();
    if (result !== undefined) return result;
    await sleep(pollMs);
  }
  throw new Error(`there was not ${what} within ${timeoutMs / 1_000} s`);
}

/** Starts a server on this machine that accepts every message, and returns its URL. It does not keep the process running. */
export async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
