import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { TestHost } from '@shopscope/outbound-http';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface HostileServer {
  /** The address of each host. {@link on} and {@link raw} add hosts. */
  hosts: Record<string, Required<TestHost>>;
  /** Serves `host` by the handler. /robots.txt is a 404 unless `robots` is given. */
  on(host: string, handler: Handler, robots?: Handler): void;
  /** Serves `host` by a function that gets the raw socket. */
  raw(host: string, onSocket: (socket: Socket) => void): Promise<void>;
  /** Paths that were requested at a host, in order. */
  requestsOf(host: string): string[];
  stop(): Promise<void>;
}

/** Misbehaving sites on loopback, selected by the Host header. */
export async function startHostileServer(): Promise<HostileServer> {
  const handlers = new Map<string, { page: Handler; robots: Handler }>();
  const requests = new Map<string, string[]>();
  const hosts: Record<string, Required<TestHost>> = {};
  const rawServers: { close(): void; sockets: Set<Socket> }[] = [];

  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    requests.set(host, [...(requests.get(host) ?? []), request.url ?? '']);
    const found = handlers.get(host);
    if (!found) return void response.writeHead(404).end();
    if (request.url === '/robots.txt') found.robots(request, response);
    else found.page(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    hosts,
    on(host, page, robots = (_, response) => void response.writeHead(404).end()) {
      hosts[host] = { address: '127.0.0.1', port, tls: false };
      handlers.set(host, { page, robots });
    },
    async raw(host, onSocket) {
      const sockets = new Set<Socket>();
      const tcp = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        onSocket(socket);
      });
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
      hosts[host] = { address: '127.0.0.1', port: (tcp.address() as AddressInfo).port, tls: false };
      rawServers.push({ close: () => tcp.close(), sockets });
    },
    requestsOf: (host) => requests.get(host) ?? [],
    stop: async () => {
      for (const raw of rawServers) {
        for (const socket of raw.sockets) socket.destroy();
        raw.close();
      }
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page like that of a storefront, `size` characters long. */
export function shopPage(size: number): string {
  const head = `<!doctype html><html lang="en"><head><title>Hostile Shop</title>
<script>var Shopify = Shopify || {}; Shopify.shop = "hostile.myshopify.com"; Shopify.theme = {"name":"Dawn","id":1,"schema_name":"Dawn"};</script>
<script src="https://cdn.shopify.com/shopifycloud/shopify/assets/storefront/load_feature.js"></script></head>
<body><a href="/cart">Cart</a><form action="/cart/add" method="post"></form>`;
  return head + '<p>lorem</p>'.repeat(Math.max(0, Math.ceil((size - head.length) / 12)));
}

export const html = (response: ServerResponse, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });

/** Writes `chunk` repeatedly, as fast as the peer reads, until the peer closes the connection. */
export function writeForever(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    if (response.destroyed) return;
    while (response.write(chunk));
    response.once('drain', more);
  };
  more();
}
