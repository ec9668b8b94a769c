import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createNameResolver,
  createRecordResolver,
  type NameResolver,
  type RecordResolver,
} from '../../src/outbound/web/resolver.ts';
import { type NameServer, type ServedRecords, startNameServer } from './support/name-server.ts';

const records: Record<string, ServedRecords> = {
  'shop.com': {
    A: ['93.184.215.14'],
    AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    MX: ['ASPMX.L.Google.com'],
    NS: ['ns1.host.com'],
    TXT: [`v=spf1 ${'include:a.example '.repeat(30)}~all`],
  },
  'www.shop.com': { CNAME: ['Shops.MyShopify.com'] },
  'four.com': { A: ['93.184.215.14'] },
  'localhost.com': { A: ['127.0.0.1'] },
  'many.com': {
    A: Array.from({ length: 50 }, (_, i) => `93.184.215.${i + 1}`),
    TXT: Array.from({ length: 60 }, (_, i) => `t${i}`),
  },
};

let server: NameServer;
let resolver: NameResolver;
let reader: RecordResolver;
beforeAll(async () => {
  server = await startNameServer(records);
  for (const question of ['A silent.com', 'AAAA silent.com', 'TXT silent.com']) server.break(question, 'silent');
  server.break('TXT failing.com', 'fails');
  const options = { timeoutMs: 100, servers: [server.address] };
  resolver = createNameResolver(options);
  reader = createRecordResolver(options);
});
afterAll(() => server.close());

const never = new AbortController().signal;

describe('the resolver', () => {
  it('returns every address of a name, IPv4 first', async () => {
    const { A = [], AAAA = [] } = records['shop.com'] ?? {};
    expect(await resolver.resolve('shop.com', never)).toEqual([...A, ...AAAA]);
    expect(await resolver.resolve('four.com', never)).toEqual(['93.184.215.14']);
  });

  it('also returns private addresses, because the address policy decides about them', async () => {
    expect(await resolver.resolve('localhost.com', never)).toEqual(['127.0.0.1']);
  });

  it('limits the number of addresses', async () => {
    expect(await resolver.resolve('many.com', never)).toHaveLength(20);
  });

  it.each(['nowhere.com', 'localhost', 'silent.com'])(
    'reports %s as a dns_failure, because it does not read the hosts file',
    async (name) => {
      await expect(resolver.resolve(name, never)).rejects.toMatchObject({ reason: 'dns_failure' });
    },
  );

  it('stops when its abort signal fires', async () => {
    const patient = createNameResolver({ timeoutMs: 60_000, servers: [server.address] });
    const abort = new AbortController();
    const resolving = patient.resolve('silent.com', abort.signal);
    abort.abort(new Error('given up'));
    await expect(resolving).rejects.toThrow('given up');
  });
});

describe('records of a name', () => {
  it('are hosts in lower case without a trailing dot, and texts in one piece', async () => {
    expect(await reader.query('www.shop.com', 'CNAME', never)).toEqual(['shops.myshopify.com']);
    expect(await reader.query('shop.com', 'MX', never)).toEqual(['aspmx.l.google.com']);
    expect(await reader.query('shop.com', 'NS', never)).toEqual(['ns1.host.com']);
    expect(await reader.query('shop.com', 'TXT', never)).toEqual(records['shop.com']?.TXT);
  });

  it('are limited in number', async () => {
    expect(await reader.query('many.com', 'TXT', never)).toHaveLength(50);
  });

  it('are none when the name server says so, and unknown when it fails or is silent', async () => {
    expect(await reader.query('nowhere.com', 'TXT', never)).toEqual([]);
    expect(await reader.query('four.com', 'MX', never)).toEqual([]);
    await expect(reader.query('failing.com', 'TXT', never)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(reader.query('silent.com', 'TXT', never)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
