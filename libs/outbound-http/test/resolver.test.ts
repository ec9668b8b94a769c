import { type NameServer, type ServedRecords, startNameServer } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameResolver, type NameResolver } from '../src/resolver.ts';

const records: Record<string, ServedRecords> = {
  'shop.com': { A: ['93.184.215.14'], AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'] },
  'four.com': { A: ['93.184.215.14'] },
  'localhost.com': { A: ['127.0.0.1'] },
  'mail-only.com': { MX: ['mail.host.com'] },
  'half-broken.com': { A: ['93.184.215.14'] },
  'many.com': {
    A: Array.from({ length: 50 }, (_, i) => `93.184.215.${i + 1}`),
  },
};

let server: NameServer;
let resolver: NameResolver;
beforeAll(async () => {
  server = await startNameServer(records);
  for (const mode of ['silent', 'fails', 'refuses', 'malformed'] as const) {
    for (const type of ['A', 'AAAA']) server.break(`${type} ${mode}.com`, mode);
  }
  server.break('AAAA half-broken.com', 'fails');
  resolver = createNameResolver({ timeoutMs: 100, servers: [server.address] });
});
afterAll(() => server.close());

const never = new AbortController().signal;

describe('the resolver', () => {
  it('the resolver returns every address of a name, IPv4 first', async () => {
    const { A = [], AAAA = [] } = records['shop.com'] ?? {};
    expect(await resolver.resolve('shop.com', never)).toEqual([...A, ...AAAA]);
    expect(await resolver.resolve('four.com', never)).toEqual(['93.184.215.14']);
  });

  it('the resolver also returns private addresses, because the address policy decides about them', async () => {
    expect(await resolver.resolve('localhost.com', never)).toEqual(['127.0.0.1']);
  });

  it('the resolver limits the number of addresses', async () => {
    expect(await resolver.resolve('many.com', never)).toHaveLength(20);
  });

  it.each(['nowhere.com', 'localhost'])(
    'the resolver reports %s as a dns_failure, because it does not read the hosts file',
    async (name) => {
      await expect(resolver.resolve(name, never)).rejects.toMatchObject({ code: 'dns_failure' });
    },
  );

  it('the resolver reports a name without addresses as a dns_failure, because the name servers say so', async () => {
    server.break('AAAA mail-only.com');
    await expect(resolver.resolve('mail-only.com', never)).rejects.toMatchObject({ code: 'dns_failure' });
  });

  it.each(['silent', 'fails', 'refuses', 'malformed'])(
    'the resolver reports %s.com as dns_unavailable, because our name servers may be the cause',
    async (mode) => {
      await expect(resolver.resolve(`${mode}.com`, never)).rejects.toMatchObject({ code: 'dns_unavailable' });
    },
  );

  it('the resolver reports a name server that nobody can connect to as dns_unavailable', async () => {
    const gone = await startNameServer({});
    gone.close();
    const alone = createNameResolver({ timeoutMs: 100, servers: [gone.address] });
    await expect(alone.resolve('shop.com', never)).rejects.toMatchObject({ code: 'dns_unavailable' });
  });

  it('the resolver reports a name as dns_unavailable when one of its two queries is not answered and the other finds nothing', async () => {
    server.break('AAAA mail-only.com', 'silent');
    await expect(resolver.resolve('mail-only.com', never)).rejects.toMatchObject({ code: 'dns_unavailable' });
  });

  it('the resolver returns the addresses that it has when the other query fails', async () => {
    expect(await resolver.resolve('half-broken.com', never)).toEqual(['93.184.215.14']);
  });

  it('the resolver reports a time limit as dns_unavailable, because the server was never asked', async () => {
    const patient = createNameResolver({ timeoutMs: 60_000, servers: [server.address] });
    const resolving = patient.resolve('silent.com', AbortSignal.timeout(50));
    await expect(resolving).rejects.toMatchObject({ code: 'dns_unavailable' });
  });

  it('the resolver stops when its abort signal fires', async () => {
    const patient = createNameResolver({ timeoutMs: 60_000, servers: [server.address] });
    const abort = new AbortController();
    const resolving = patient.resolve('silent.com', abort.signal);
    abort.abort(new Error('given up'));
    await expect(resolving).rejects.toThrow('given up');
  });
});
