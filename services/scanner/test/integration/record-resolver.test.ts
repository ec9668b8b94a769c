import { type NameServer, type ServedRecords, startNameServer } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecordResolver, type RecordResolver } from '../../src/outbound/web/records.ts';

const records: Record<string, ServedRecords> = {
  'shop.com': {
    MX: ['ASPMX.L.Google.com'],
    NS: ['ns1.host.com'],
    TXT: [`v=spf1 ${'include:a.example '.repeat(30)}~all`],
  },
  'www.shop.com': { CNAME: ['Shops.MyShopify.com'] },
  'four.com': { A: ['93.184.215.14'] },
  'many.com': { TXT: Array.from({ length: 60 }, (_, i) => `t${i}`) },
};

let server: NameServer;
let reader: RecordResolver;
beforeAll(async () => {
  server = await startNameServer(records);
  server.break('TXT silent.com', 'silent');
  server.break('TXT failing.com', 'fails');
  reader = createRecordResolver({ timeoutMs: 100, servers: [server.address] });
});
afterAll(() => server.close());

const never = new AbortController().signal;

describe('records of a name', () => {
  it('the records of a name are hosts in lower case without a trailing dot, and texts in one piece', async () => {
    expect(await reader.query('www.shop.com', 'CNAME', never)).toEqual(['shops.myshopify.com']);
    expect(await reader.query('shop.com', 'MX', never)).toEqual(['aspmx.l.google.com']);
    expect(await reader.query('shop.com', 'NS', never)).toEqual(['ns1.host.com']);
    expect(await reader.query('shop.com', 'TXT', never)).toEqual(records['shop.com']?.TXT);
  });

  it('the records of a name are limited in number', async () => {
    expect(await reader.query('many.com', 'TXT', never)).toHaveLength(50);
  });

  it('the records of a name are none when the name server says so, and unknown when it fails or is silent', async () => {
    expect(await reader.query('nowhere.com', 'TXT', never)).toEqual([]);
    expect(await reader.query('four.com', 'MX', never)).toEqual([]);
    await expect(reader.query('failing.com', 'TXT', never)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(reader.query('silent.com', 'TXT', never)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
