import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { storesFrom, writeChanges } from './changes-file.ts';
import { control } from './control.ts';
import type { AppChange, DemoStore, PlatformChange } from './demo-store.ts';
import type { StoreState } from './store.ts';
import { storeDefinitions } from './stores/index.ts';
import { testHostsOf, writeTestHosts } from './test-hosts.ts';

/**
 * Serves all demo stores on one loopback port, by the Host header. Requests to the address itself are control requests.
 * A restart reads the changes file. Without that file every store has its defined state.
 */
export interface DemoStoresOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  /** Written completely before the promise resolves: hostname → `{ address, port, tls }`. */
  testHostsFile?: string;
  changesFile?: string;
  /** Name or address of this server for scanners, if it is not `host`: a container listens on 0.0.0.0. */
  testHostsAddress?: string;
}

export type DemoStores = Awaited<ReturnType<typeof startDemoStores>>;

/** Limit of the request log. Older entries are dropped. */
const maxLoggedRequests = 1_000;

export async function startDemoStores(options: DemoStoresOptions) {
  const { changesFile } = options;
  const stores = storesFrom(storeDefinitions, changesFile);
  const keep = () => {
    if (changesFile !== undefined) writeChanges(changesFile, stores.values());
  };
  const byHost = new Map<string, DemoStore>();
  const requests = new Map<string, string[]>();
  for (const store of stores.values()) {
    byHost.set(store.definition.domain, store);
    if (store.definition.host) byHost.set(store.definition.host, store);
  }
  const storeOf = (domain: string) => {
    const store = stores.get(domain);
    if (!store) throw new Error(`no such demo store: ${domain}`);
    return store;
  };

  const { address } = await lookup(options.testHostsAddress ?? options.host, { family: 4 });
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const store = byHost.get(host);
    if (!store) return void control(request, response, stores, keep);
    const log = requests.get(store.definition.domain) ?? [];
    log.push(`${host}${request.url}`);
    if (log.length > maxLoggedRequests) log.shift();
    requests.set(store.definition.domain, log);
    serveStore(store, host, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const testHosts = testHostsOf(storeDefinitions, address, port);
  if (options.testHostsFile) await writeTestHosts(options.testHostsFile, testHosts);

  const change = (domain: string, apply: (store: DemoStore) => void) => {
    apply(storeOf(domain));
    keep();
  };

  return {
    domains: storeDefinitions.map(({ domain, platform, title, state = 'open' }) => ({
      domain,
      platform,
      title,
      state,
    })),
    testHosts,
    /** Base URL of the control endpoints. */
    url: `http://${options.host}:${port}`,
    /** Throws for an unknown domain or app. */
    setApps: (domain: string, apps: AppChange) => change(domain, (store) => store.changeApps(apps)),
    setPlatform: (domain: string, platform: PlatformChange) =>
      change(domain, (store) => store.changePlatform(platform)),
    setState: (domain: string, state: StoreState) => change(domain, (store) => store.changeState(state)),
    /** GET requests to a store's names, oldest first, as host and path. */
    requestsOf: (domain: string) => [...(requests.get(storeOf(domain).definition.domain) ?? [])],
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function serveStore(store: DemoStore, host: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
  if (!request.url || !URL.canParse(request.url, `http://${host}`)) return void response.writeHead(400).end();
  const answer = store.answer(host, new URL(request.url, `http://${host}`));
  if (!answer) return void request.socket.destroy();
  response.statusCode = answer.status ?? 200;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.cookies) response.setHeader('set-cookie', [...answer.cookies]);
  const plain = Buffer.from(answer.body, store.definition.charset === 'iso-8859-1' ? 'latin1' : 'utf8');
  const isCompressed = plain.length > 1_000 && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isCompressed) response.setHeader('content-encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : isCompressed ? gzipSync(plain) : plain);
}
