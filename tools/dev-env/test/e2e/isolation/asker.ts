import type { Answer } from '../client.ts';

/** One request, without its API key. */
export interface Ask {
  path: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends requests and sums the units that the responses report as billed. */
export interface Asker {
  send(ask: Ask, secret?: string): Promise<Answer>;
  readonly billed: { lookup_cached: number; lookup_live: number; refresh_requested: number };
}

export function createAsker(baseUrl: string, ownSecret: string): Asker {
  const billed = { lookup_cached: 0, lookup_live: 0, refresh_requested: 0 };
  const scans = new Set<string>();
  return {
    billed,
    async send({ path, body, headers, method = body === undefined ? 'GET' : 'POST' }, secret = ownSecret) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const answer = { status: response.status, headers: response.headers, text, body: isJson && JSON.parse(text) };
      // Jobs say what they bill, and not what this request bills: a scan bills once, when it is new.
      if (answer.status === 202 && answer.body.billed) {
        if (!scans.has(answer.body.id)) billed.refresh_requested += answer.body.billed.refresh_requested;
        scans.add(answer.body.id);
      } else if (answer.status === 200 && !answer.headers.has('idempotent-replayed') && path.startsWith('/v1/stores')) {
        billed.lookup_cached += answer.body.billed?.lookup_cached ?? (answer.body.match === 'matched' ? 1 : 0);
        billed.lookup_live += answer.body.billed?.lookup_live ?? 0;
      } else if (answer.status === 200 && path === '/v1/graphql') {
        billed.lookup_cached += answer.body.extensions.cost.billed.lookup_cached;
      }
      return answer;
    },
  };
}
