import { createNameResolver, dialTcp } from '@shopscope/outbound-http';
import { type NameServer, startNameServer } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileServer, startHostileServer } from './support/hostile-server.ts';
import { createObserver, ending } from './support/observer.ts';

describe('undecided names', () => {
  let names: NameServer;
  let site: HostileServer;
  const dialled: string[] = [];
  const observe = (domain: string) =>
    createObserver({
      hosts: site.hosts,
      resolver: createNameResolver({ timeoutMs: 50, servers: [names.address] }),
      dial: (address, ...rest) => {
        dialled.push(address);
        return dialTcp(address, ...rest);
      },
    }).observe(domain);

  beforeAll(async () => {
    names = await startNameServer({ 'apex-without-address.com': { MX: ['mail.host.com'] } });
    for (const type of ['A', 'AAAA']) {
      names.break(`${type} failing.com`, 'fails');
      names.break(`${type} silent.com`, 'silent');
      names.break(`${type} www.apex-without-address.com`, 'refuses');
    }
    site = await startHostileServer();
  });
  afterAll(async () => {
    names.close();
    await site.stop();
  });

  it.each(['failing.com', 'silent.com', 'apex-without-address.com'])(
    'a name that the name servers do not decide about ends the scan of %s without an observation',
    async (domain) => {
      await expect(observe(domain)).rejects.toMatchObject({ reason: 'dns_unavailable', undecided: true });
      expect(dialled).toEqual([]);
    },
  );

  it('an undecided name is not the same as a name that does not exist, which is an observation of the store', async () => {
    expect(ending(await observe('nonexistent.com'))).toEqual({
      outcome: 'UNREACHABLE',
      reason: 'dns_failure',
      status: 'unreachable',
    });
  });

  it('a name that the name servers do not decide about ends the scan also when a redirect leads to it', async () => {
    site.on('moved.test', (_, response) => response.writeHead(302, { location: 'https://failing.com/' }).end());
    await expect(observe('moved.test')).rejects.toMatchObject({ reason: 'dns_unavailable' });
  });
});

describe('address without a route', () => {
  const observe = (codes: Readonly<Record<string, string>>) =>
    createObserver({
      resolver: { resolve: async () => Object.keys(codes) },
      dial: async (address) => {
        throw Object.assign(new Error('not dialled in a test'), { code: codes[address] });
      },
    }).observe('shop-with-a-name.com');

  it('an address without a route ends the scan without an observation, for example of a store with IPv6 alone', async () => {
    const noRoute = observe({ '2606:2800:21f:cb07:6820:80da:af6b:8b2c': 'ENETUNREACH' });
    await expect(noRoute).rejects.toMatchObject({ reason: 'egress_broken', undecided: true });
  });

  it('an address without a route counts less than what another address of the store answers', async () => {
    const codes = { '2606:2800:21f:cb07:6820:80da:af6b:8b2c': 'ENETUNREACH', '93.184.215.14': 'ECONNREFUSED' };
    for (const order of [codes, Object.fromEntries(Object.entries(codes).reverse())]) {
      expect(ending(await observe(order))).toMatchObject({ outcome: 'UNREACHABLE', reason: 'connection_refused' });
    }
  });
});
