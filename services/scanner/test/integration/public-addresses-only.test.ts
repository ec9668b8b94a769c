import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dial, dialTcp } from '../../src/outbound/web/connect.ts';
import type { NameResolver } from '../../src/outbound/web/resolver.ts';
import { type HostileServer, html, startHostileServer } from './support/hostile-server.ts';
import { createObserver, ending } from './support/observer.ts';

/** Listens on loopback and counts connections, which must stay 0. Also listens on port 80 where that is permitted. */
const canaries: Server[] = [];
let visits = 0;
let canaryPort = 0;
let server: HostileServer;
let dialled: string[] = [];

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
});
afterAll(async () => {
  for (const canary of canaries) canary.close();
  await server.stop();
});
beforeEach(() => {
  visits = 0;
  dialled = [];
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

describe('a redirect to a private address is refused in every spelling:', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://intranet/',
    'http://127%2E0%2E0%2E1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://8.8.8.8/',
    'ftp://shop.test/',
    'file:///etc/passwd',
    'gopher://shop.test/',
  ])('%s', async (location) => {
    server.on('redirector.test', (_, response) => {
      // Header values are Latin-1 on the wire. Sites send UTF-8 bytes, which the test writes as Latin-1.
      response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
    });
    const seen = await createObserver({ hosts: server.hosts, dial }).observe('redirector.test');
    expect(ending(seen)).toEqual(/^[ -~]+$/.test(location) ? blocked : { ...blocked, reason: expect.any(String) });
    expect(new Set(dialled)).toEqual(new Set(['127.0.0.1']));
    expect(visits).toBe(0);
  });

  it('another port, on any host', async () => {
    server.on('port.test', (_, response) => {
      html(response, 302, { location: `http://port.test:${canaryPort}/` }).end();
    });
    expect(ending(await createObserver({ hosts: server.hosts, dial }).observe('port.test'))).toEqual(blocked);
    expect(visits).toBe(0);
  });
});

describe('a name is refused when any of its addresses is not public', () => {
  it.each([
    [['127.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['93.184.215.14', '10.1.2.3']],
    [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
    [['93.184.215.14', '::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['168.63.129.16']],
    [['100.100.100.200']],
    [['64:ff9b::7f00:1']],
    [['2002:7f00:1::']],
    [['2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    [['fd12:3456::1']],
    [['fec0::1']],
    [['192.0.2.1']],
    [['198.18.0.1']],
    [['224.0.0.1']],
    [['255.255.255.255']],
    [['0.0.0.0']],
    [['4000::1']],
    [['not an address']],
  ])('%j', async (addresses) => {
    const observer = createObserver({ resolver: answers(addresses), dial });
    expect(ending(await observer.observe('shop-with-a-name.com'))).toEqual(blocked);
    expect(dialled).toEqual([]);
    expect(visits).toBe(0);
    expect(await observer.registry.metrics()).toMatch(/scanner_refused_addresses_total\{[^}]*\} 1/);
  });
});

describe('under DNS rebinding,', () => {
  it('a name is resolved once for all connections of a scan', async () => {
    const resolver = answers(['93.184.215.14'], ['127.0.0.1']);
    const seen = await createObserver({ resolver, dial }).observe('rebinding-shop.com');
    expect(ending(seen)).toEqual({ outcome: 'UNREACHABLE', reason: 'connection_refused', status: 'unreachable' });
    expect(resolver.asked).toEqual(['rebinding-shop.com']);
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

describe('for the names of a store,', () => {
  it('an invalid name is not resolved', async () => {
    const resolver = answers(['93.184.215.14']);
    expect((await createObserver({ resolver, dial }).observe('unknown-shop.example')).reason).toBe('dns_failure');
    expect(resolver.asked).toEqual([]);
  });

  it('www. is tried when the domain has no address', async () => {
    server.on('www.bare.test', (_, response) => html(response).end('<html>hello</html>'));
    const seen = await createObserver({ hosts: server.hosts, dial }).observe('bare.test');
    expect(seen.storefrontHost).toBe('www.bare.test');
  });

  it('a mapped host is reached at its mapped address, and other hosts of that domain are not', async () => {
    server.on('mapped.test', (_, response) => html(response, 302, { location: 'http://unmapped.test/' }).end());
    const seen = await createObserver({ hosts: server.hosts, dial }).observe('mapped.test');
    expect(seen.reason).toBe('dns_failure');
  });
});
