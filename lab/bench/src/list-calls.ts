import { domainOf } from './corpus.ts';
import type { Bench } from './system.ts';

/** The API accepts no more stores in one call. */
export const storesPerCall = 2_000;

/** Calls the API. Resolves to its response and to the time until the last byte. Rejects with the text of any status but 2xx. */
export async function callApi<Body>(
  { system, secret }: Bench,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ body: Body; ms: number }> {
  const startMs = performance.now();
  const response = await fetch(system.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  const ms = performance.now() - startMs;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { body: text === '' ? (undefined as Body) : JSON.parse(text), ms };
}

/** Creates a list or a watchlist and resolves to its path. */
export async function createGroup(bench: Bench, kind: 'lists' | 'watchlists', name: string): Promise<string> {
  const { body } = await callApi<{ id: string }>(bench, 'POST', `/v1/${kind}`, { name });
  return `/v1/${kind}/${body.id}`;
}

/** Adds the stores of the corpus from `first` on, in calls of {@link storesPerCall}. Resolves to the time of each call in ms. */
export async function addStores(bench: Bench, group: string, first: number, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += storesPerCall) {
    const length = Math.min(storesPerCall, count - at);
    const stores = Array.from({ length }, (_, n) => ({
      domain: domainOf(first + at + n),
      external_id: `crm-${at + n}`,
    }));
    times.push((await callApi(bench, 'POST', `${group}/stores`, { stores })).ms);
  }
  return times;
}
