import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Dial, dialTcp, type NameResolver } from '@shopscope/outbound-http';
import { hostileAddresses, hostileTargets } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HostileServer, html, shopPage, startHostileServer } from './support/hostile-server.ts';
import { createObserver, ending } from './support/observer.ts';

/** Listens on loopback and counts connections, which must stay 0. Also listens on port 80 where that is permitted. */
const canaries: Server[] = [];
let visits = 0;
let canaryPort = 0;
let server: HostileServer;
let dialled: string[] = [];
/** The remote end of every TCP socket that this process opens, whoever opens it. */
let opened: string[] = [];
const recordSocket = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address: string, port: number) => opened.push(`${address}:${port}`));
};
/** Other tests of this process may still connect to servers on loopback ports of their own. */
const forbiddenConnections = () =>
  opened.filter(
    (peer) => !/^(127\.0\.0\.1|::1):/.test(peer) || /:(80|443)$/.test(peer) || peer.endsWith(`:${canaryPort}`),
  );

const listen = (port: number) =>
  new Promise<number>((resolve) => {
    const canary = createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
    canary.once('error', () => resolve(0));
    canary.listen(port, '127.0.0.1', () => {
      canaries.push(canary);
      resolve((canary.address() as AddressInfo).port);
    });
  });

beforeAll(async () => {
  await listen(80);
  canaryPort = await listen(0);
  server = await startHostileServer();
  server.on('port.test', () => {});
  subscribe('net.client.socket', recordSocket);
});
afterAll(async () => {
  unsubscribe('net.client.socket', recordSocket);
  for (const canary of canaries) canary.close();
  await server.stop();
});
beforeEach(() => {
  visits = 0;
  dialled = [];
  opened = [];
});

/** Opens real connections and records them. A test never connects to a public address. */
const dial: Dial = (address, port, signal) => {
  dialled.push(address);
  if (address !== '127.0.0.1') {
    return Promise.reject(Object.assign(new Error('not dialled in a test'), { code: 'ECONNREFUSED' }));
  }
  return dialTcp(address, port, signal);
};

const answers = (...rounds: string[][]): NameResolver & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname) => {
      asked.push(hostname);
      return rounds[Math.min(asked.length, rounds.length) - 1] ?? [];
    },
  };
};

const blocked = { outcome: 'UNREACHABLE', reason: 'blocked_address', status: 'unreachable' };

describe('redirect targets', () => {
  it('redirects to more than 500 forbidden targets are tried', () => {
    expect(hostileTargets.flatMap(({ locations }) => locations).length).toBeGreaterThan(500);
  });

  it.each(hostileTargets)('a redirect is not followed to $kind, and no socket is opened', async ({ locations }) => {
    for (const [n, location] of locations.entries()) {
      server.on(`redirector-${n}.test`, (_, response) => {
        // Header values are Latin-1 on the wire. Sites send UTF-8 bytes, which the test writes as Latin-1.
        response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
      });
    }
    const resolver = answers(['127.0.0.1']);
    const observer = createObserver({ hosts: server.hosts, resolver, dial });
    const seen = await Promise.all(locations.map((_, n) => observer.observe(`redirector-${n}.test`)));
    for (const [n, observation] of seen.entries()) {
      expect(['blocked_address', 'invalid_response', 'dns_failure'], locations[n]).toContain(observation.reason);
    }
    expect(resolver.asked).toEqual([]);
    expect(forbiddenConnections()).toEqual([]);
    expect(visits).toBe(0);
  });

  it('a redirect to another port of a host that is mapped is not followed', async () => {
    server.on('port.test', (_, response) => {
      html(response, 302, { location: `http://port.test:${canaryPort}/` }).end();
    });
    expect(ending(await createObserver({ hosts: server.hosts, dial }).observe('port.test'))).toEqual(blocked);
    expect(visits).toBe(0);
  });
});

describe('addresses of a name', () => {
  it.each(hostileAddresses)(
    'a name is refused when any of its addresses is not public: %s, alone and beside public addresses',
    async (address) => {
      for (const addresses of [
        [address],
        ['93.184.215.14', address],
        [address, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
      ]) {
        const observer = createObserver({ resolver: answers(addresses), dial });
        expect(ending(await observer.observe('shop-with-a-name.com'))).toEqual(blocked);
        expect(await observer.registry.metrics()).toMatch(/scanner_refused_addresses_total\{[^}]*\} 1/);
      }
      expect([dialled, forbiddenConnections()]).toEqual([[], []]);
      expect(visits).toBe(0);
    },
  );
});

describe('DNS rebinding', () => {
  it('a name is resolved once for all connections of a scan', async () => {
    // The second name is another one: `www.` is tried when the domain itself does not answer.
    const resolver = answers(['93.184.215.14'], ['93.184.215.14'], ['127.0.0.1']);
    const seen = await createObserver({ resolver, dial }).observe('rebinding-shop.com');
    expect(ending(seen)).toEqual({ outcome: 'UNREACHABLE', reason: 'connection_refused', status: 'unreachable' });
    expect(resolver.asked).toEqual(['rebinding-shop.com', 'www.rebinding-shop.com']);
    expect(new Set(dialled)).toEqual(new Set(['93.184.215.14']));
    expect(visits).toBe(0);
  });

  it('a connection to another address than the checked one is closed before a byte is written', async () => {
    let bytes = 0;
    const peer = createServer((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    const { port } = peer.address() as AddressInfo;
    const diverted: Dial = (_address, _port, signal) => dialTcp('127.0.0.1', port, signal);
    const seen = await createObserver({ resolver: answers(['93.184.215.14']), dial: diverted }).observe(
      'diverted-shop.com',
    );
    expect(ending(seen)).toEqual(blocked);
    await new Promise((resolve) => peer.close(resolve));
    expect(bytes).toBe(0);
  });
});

describe('names of a store', () => {
  it('an invalid name is not resolved', async () => {
    const resolver = answers(['93.184.215.14']);
    expect((await createObserver({ resolver, dial }).observe('unknown-shop.example')).reason).toBe('dns_failure');
    expect(resolver.asked).toEqual([]);
  });

  it('the host www. is tried when the domain has no address', async () => {
    server.on('www.bare.test', (_, response) => html(response).end(shopPage(5_000)));
    const seen = await createObserver({ hosts: server.hosts, dial }).observe('bare.test');
    expect(seen.storefrontHost).toBe('www.bare.test');
  });

  it('a mapped host is reached at its mapped address, and other hosts of that domain are not', async () => {
    server.on('mapped.test', (_, response) => html(response, 302, { location: 'http://unmapped.test/' }).end());
    const seen = await createObserver({ hosts: server.hosts, dial }).observe('mapped.test');
    expect(seen.reason).toBe('dns_failure');
  });
});
