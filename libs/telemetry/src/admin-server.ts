import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { callLocalRoute, type LocalRoute } from './local-route.ts';

/**
 * The admin port of a service, for the orchestrator and Prometheus. It must not be public.
 *
 * - `/healthz`: the process is alive.
 * - `/readyz`: whether the service should receive traffic, and the state of each dependency.
 * - `/metrics`: metrics in the Prometheus text format.
 */
export const adminPaths = ['/healthz', '/readyz', '/metrics'] as const;

export interface Readiness {
  ready: boolean;
  /** State by component, for example `{ mongodb: 'ok', kafka: 'unavailable' }`. */
  components: Record<string, string>;
}

export interface AdminServer {
  /** For example http://127.0.0.1:9081 */
  url: string;
  close(): Promise<void>;
}

export interface AdminServerOptions {
  host: string;
  port: number;
  registry: Registry;
  readiness(): Promise<Readiness> | Readiness;
  /** Read at each request, so that routes can be added later. */
  localRoutes?: readonly LocalRoute[];
}

export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url;
    if (path === '/healthz') return send(response, 200, { status: 'ok' });
    if (path === '/readyz') {
      const readiness = await options.readiness();
      return send(response, readiness.ready ? 200 : 503, readiness);
    }
    if (path === '/metrics') {
      response.writeHead(200, { 'content-type': options.registry.contentType });
      return response.end(await options.registry.metrics());
    }
    const route = options.localRoutes?.find((each) => each.path === path);
    if (!route) return send(response, 404, { error: 'not found' });
    const { status, body } = await callLocalRoute(route, request);
    send(response, status, body);
  };
  const server = createServer({ requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      // The caller disconnected while it sent its body.
      if (request.errored) response.destroy();
      else if (!response.headersSent) send(response, 500, { error: String(error) });
      else response.destroy();
    });
  });
  // Without this listener, Node closes the connection without a status.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host === '0.0.0.0' ? '127.0.0.1' : options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
