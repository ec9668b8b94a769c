import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppChange, DemoStore } from './demo-store.ts';
import { type StoreState, storeStates } from './store.ts';

/**
 * For people at the command line, on the server's own address:
 *   GET  /__control                       every store with its state and apps
 *   POST /__control/{domain}/apps         {"add":["klaviyo"],"remove":["judge-me"]}
 *   POST /__control/{domain}/state        {"state":"password"}
 */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  stores: ReadonlyMap<string, DemoStore>,
): Promise<void> {
  const reply = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(body)}\n`);
  };
  const describe = (store: DemoStore) => ({
    domain: store.definition.domain,
    platform: store.definition.platform,
    title: store.definition.title,
    state: store.state,
    apps: store.apps,
  });
  try {
    const [, root, domain, verb] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    if (root !== '__control') return reply(404, { error: 'no demo store has this name' });
    if (request.method === 'GET' && !domain) return reply(200, { stores: [...stores.values()].map(describe) });
    const store = stores.get(decodeURIComponent(domain ?? ''));
    if (!store) return reply(404, { error: `no demo store ${domain}` });
    if (request.method !== 'POST') return reply(200, describe(store));
    const body = JSON.parse(await readBody(request)) as AppChange & { state?: StoreState };
    if (verb === 'apps') store.changeApps(body);
    else if (verb === 'state' && body.state && storeStates.includes(body.state)) store.state = body.state;
    else return reply(400, { error: `expected apps, or state with one of: ${storeStates.join(', ')}` });
    reply(200, describe(store));
  } catch (error) {
    reply(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 10_000) throw new Error('the body is too long');
  }
  return body;
}
