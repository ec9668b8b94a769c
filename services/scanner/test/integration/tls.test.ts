import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { type Dial, dialTcp } from '@shopscope/outbound-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopPage } from './support/hostile-server.ts';
import { createObserver, ending } from './support/observer.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const servers: Server[] = [];
const listen = async (server: Server) => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

let tlsPort = 0;
let serverName: string | false | null | undefined;

beforeAll(async () => {
  const tls = createHttpsServer(
    { key: fixture('self-signed.key'), cert: fixture('self-signed.pem') },
    (request, response) => {
      serverName = (request.socket as unknown as { servername?: string | false }).servername;
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage(5_000));
    },
  );
  tlsPort = await listen(tls);
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** Connects to the loopback server instead of the public address that a name resolves to. */
const asIfPublic =
  (ports: { 443: number; 80: number }): Dial =>
  async (address, port, signal) => {
    const socket = await dialTcp('127.0.0.1', ports[port as 443 | 80], signal);
    return Object.defineProperty(socket, 'remoteAddress', { value: address });
  };
const resolver = { resolve: async () => ['93.184.215.14'] };

describe('TLS', () => {
  it('a mapped host may have a self-signed certificate', async () => {
    const hosts = { 'secure.test': { address: '127.0.0.1', port: tlsPort, tls: true } };
    const seen = await createObserver({ hosts }).observe('secure.test');
    expect(seen).toMatchObject({ storefrontHost: 'secure.test', platform: { slug: 'shopify' } });
    expect(seen.sourcesRead).toContain('certificate');
    expect(seen.coverageNote).toContain('the certificate');
    expect(serverName).toBe('secure.test');
  });

  it('a public host may not have a self-signed certificate', async () => {
    const dial = asIfPublic({ 443: tlsPort, 80: 1 });
    expect(ending(await createObserver({ resolver, dial }).observe('self-signed-shop.com'))).toEqual({
      outcome: 'UNREACHABLE',
      reason: 'tls_failure',
      status: 'unreachable',
    });
  });

  it('a server without TLS is a tls_failure', async () => {
    const plain = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const hosts = { 'plain.test': { address: '127.0.0.1', port: plain, tls: true } };
    expect((await createObserver({ hosts }).observe('plain.test')).reason).toBe('tls_failure');
  });

  it('a TLS handshake that hangs ends at the time limit of the connection', async () => {
    const silent = await listen(createTcpServer(() => {}));
    const hosts = { 'silent-tls.test': { address: '127.0.0.1', port: silent, tls: true } };
    const seen = await createObserver({ hosts, web: { connectMs: 100 } }).observe('silent-tls.test');
    expect(seen.reason).toBe('timeout');
  });
});
