import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DemoStore, serveStore, storeDefinitions } from '@shopscope/demo-stores';
import { kindOfDomain, type StoreKind } from '../scan-kinds.ts';
import { announce } from './announce.ts';

// The server of all stores that are scanned. The Host header names the store, and the name says how it responds (scan-kinds.ts).
const slowMs = 2_000;
const templates = storeDefinitions.filter(({ host, state = 'open' }) => host === undefined && state === 'open');

/** Returns a demo store with another domain. */
function storeOf(host: string): DemoStore {
  const number = Number(/-(\d+)\.example$/.exec(host)?.[1] ?? 0);
  const template = templates[number % templates.length];
  if (!template) throw new Error('there is no demo store');
  return new DemoStore({ ...template, domain: host });
}

/** The home page shows the scanner a shop of Shopify, so that it reads the product listing. */
const shopifyPage = `<!doctype html><html lang="en"><head><title>Shop</title>
<script>var Shopify = Shopify || {}; Shopify.shop = "bench.myshopify.com"; Shopify.theme = {"name":"Dawn","id":1,"schema_name":"Dawn"};</script>
<script src="https://cdn.shopify.com/shopifycloud/shopify/assets/storefront/load_feature.js"></script></head>
<body><a href="/cart">Cart</a><form action="/cart/add" method="post"></form></body></html>`;

const bombAgents = Array.from({ length: 2_499 }, (_, n) => `User-agent: agent-${n}`);
const bombRules = Array.from({ length: 2_499 }, (_, n) => `Disallow: /${n}`);
const robotsBomb = [...bombAgents, ...bombRules].join('\n');

const product = {
  id: 1,
  title: 'Product',
  handle: 'product',
  variants: [{ price: '10.00', available: true }],
  tags: 'x',
};
const hugeListing = gzipSync(
  JSON.stringify({ products: Array.from({ length: 80_000 }, (_, n) => ({ ...product, id: n })) }),
);
const deepListing = gzipSync('['.repeat(5_000_000) + ']'.repeat(5_000_000));

const html = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });

function writeForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'lorem ipsum ');
  const more = () => {
    if (response.destroyed) return;
    while (response.write(chunk));
    response.once('drain', more);
  };
  more();
}

type Respond = (host: string, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const healthy: Respond = (host, request, response) => serveStore(storeOf(host), host, request, response);

const listing =
  (body: Buffer): Respond =>
  (_, { url = '/' }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (url.startsWith('/products.json'))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    else html(response).end(shopifyPage);
  };

const responses: Record<StoreKind, Respond> = {
  healthy,
  // The scanner never reaches this server, because the file of hosts maps dead stores to a port without a listener.
  dead: (_, request) => void request.socket.destroy(),
  slow: async (host, request, response) => {
    await sleep(slowMs);
    return healthy(host, request, response);
  },
  hanging: () => {},
  endless: (_, { url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else writeForever(html(response));
  },
  'robots-bomb': (host, request, response) => {
    if (request.url === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end(robotsBomb);
    else return healthy(host, request, response);
  },
  'huge-listing': listing(hugeListing),
  'deep-listing': listing(deepListing),
};

const server = createServer((request, response) => {
  response.on('error', () => {});
  const host = request.headers.host ?? '';
  void responses[kindOfDomain(host)](host, request, response);
});
server.on('clientError', (_, socket) => socket.destroy());
server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
