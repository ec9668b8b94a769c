import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppChange, DemoStore, PlatformChange } from './demo-store.ts';
import type { StoreState } from './store.ts';

/**
 * Control endpoints, on the address of the server:
 *   GET  /__control                       every store with its state and apps
 *   POST /__control/{domain}/apps         {"add":["klaviyo"],"configure":["judge-me"],"remove":["hotjar"]}
 *   POST /__control/{domain}/platform     {"platform":"shopify","theme":"Dawn"}
 *   POST /__control/{domain}/state        {"state":"password"}
 * `onChange` runs after every change, before the response.
 */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  stores: ReadonlyMap<string, DemoStore>,
  onChange: () => void = () => {},
): Promise<void> {
  const reply = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(body)}\n`);
  };
  const describe = (store: DemoStore) => ({
    domain: store.definition.domain,
    platform: store.platform,
    title: store.definition.title,
    state: store.state,
    apps: store.apps,
    configured: store.configured,
  });
  try {
    const [, root, domain, verb] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    if (root !== '__control') return reply(404, { error: 'no demo store has this name' });
    if (request.method === 'GET' && !domain) return reply(200, { stores: [...stores.values()].map(describe) });
    const store = stores.get(decodeURIComponent(domain ?? ''));
    if (!store) return reply(404, { error: `no demo store ${domain}` });
    if (request.method !== 'POST') return reply(200, describe(store));
    const body = JSON.parse(await readBody(request)) as AppChange & PlatformChange & { state?: StoreState };
    if (verb === 'apps') store.changeApps(body);
    else if (verb === 'platform') store.changePlatform(body);
    else if (verb === 'state') store.changeState(body.state as StoreState);
    else return reply(400, { error: 'expected apps, platform or state after the domain' });
    onChange();
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
