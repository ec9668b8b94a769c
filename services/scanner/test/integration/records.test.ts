import { type NameServer, startNameServer } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecordResolver } from '../../src/outbound/web/records.ts';
import { type HostileServer, html, shopPage, startHostileServer } from './support/hostile-server.ts';
import { createObserver } from './support/observer.ts';

let sites: HostileServer;
let names: NameServer;

beforeAll(async () => {
  sites = await startHostileServer();
  names = await startNameServer({
    'tea-shop.com': { MX: ['aspmx.l.google.com'], TXT: ['v=spf1 include:mail.zendesk.com ~all'] },
    'k1._domainkey.tea-shop.com': { CNAME: ['dkim.mcsv.net'] },
    'help.tea-shop.com': { CNAME: ['teashop.zendesk.com'] },
    'www.tea-shop.com': { CNAME: ['shops.myshopify.com'] },
    'shops.myshopify.com': { A: ['93.184.215.14'] },
    'loop-shop.com': { CNAME: ['loop-shop.com'] },
    'inner-shop.com': { CNAME: ['db.internal'] },
  });
  sites.on('tea-shop.com', (_, response) => response.writeHead(301, { location: 'http://www.tea-shop.com/' }).end());
  sites.on('www.tea-shop.com', (_, response) =>
    html(response).end('<html><title>Tea</title><body>Teas of the mountains</body></html>'),
  );
  for (const host of ['loop-shop.com', 'inner-shop.com', 'tea.myshopify.com', 'tea-shop.test'])
    sites.on(
      host,
      (_, response) => html(response).end(shopPage(5_000)),
      (_, response) => response.end('User-agent: *\nDisallow: /cart'),
    );
  // The first page compiles the rules. That time does not count against any limit.
  await observer().observe('tea-shop.test');
});
afterAll(async () => {
  names.close();
  await sites.stop();
});

/** Longer than a test may take: no test here is about the time of the whole scan. */
const neverMs = 3_600_000;

const observer = (dnsMs = 5_000, timeoutMs = 200) => {
  const records = createRecordResolver({ timeoutMs, servers: [names.address] });
  return createObserver({ hosts: sites.hosts, records, web: { dnsMs }, bounds: { scanMs: neverMs } });
};
const metricsOf = ({ registry }: ReturnType<typeof createObserver>) => registry.metrics();

describe('DNS records of a store', () => {
  it('the DNS records of a store add technologies, and serve as evidence for the platform of its host', async () => {
    const seen = await observer().observe('tea-shop.com');
    expect(seen.platform).toMatchObject({ slug: 'shopify' });
    const shown = Object.fromEntries(seen.technologies.map((found) => [found.slug, found]));
    expect(shown).toMatchObject({
      'google-workspace': { installState: 'configured', sources: ['dns.mx'] },
      mailchimp: { installState: 'configured', sources: ['dns.dkim'] },
      zendesk: { installState: 'configured', sources: ['dns.help', 'dns.txt'] },
      shopify: { installState: 'active', sources: ['dns.cname'] },
    });
    expect(seen).toMatchObject({
      scope: 'full',
      sourcesRead: ['home', 'dns.cname', 'dns.mx', 'dns.ns', 'dns.txt', 'dns.dkim', 'dns.help'],
    });
    expect(seen.coverageNote).toContain('DNS (CNAME, MX, NS, TXT, DKIM, help desk)');
  });

  it.each(['silent', 'fails'] as const)(
    'the DNS records of a store are unanswered, and not absent, when the name server is %s',
    async (mode) => {
      names.break('MX tea-shop.com', mode);
      const scanner = observer();
      const seen = await scanner.observe('tea-shop.com');
      names.break('MX tea-shop.com');
      expect(seen.scope).toBe('full');
      expect(seen.sourcesRead).not.toContain('dns.mx');
      expect(seen.sourcesRead).toContain('dns.txt');
      expect(seen.coverageNote).toContain('DNS did not answer for MX.');
      const result = mode === 'silent' ? 'timeout' : 'failed';
      expect(await metricsOf(scanner)).toContain(
        `scanner_dns_queries_total{type="MX",result="${result}",service="scanner"} 1`,
      );
    },
  );

  it('DNS records of one kind are all unanswered when one of its queries fails', async () => {
    names.break('CNAME k2._domainkey.tea-shop.com', 'fails');
    const seen = await observer().observe('tea-shop.com');
    names.break('CNAME k2._domainkey.tea-shop.com');
    expect(seen.sourcesRead).not.toContain('dns.dkim');
    expect(seen.technologies.map(({ slug }) => slug)).not.toContain('mailchimp');
  });

  it('the DNS records of a store are read within the time limit of a query', async () => {
    names.break('TXT tea-shop.com', 'silent');
    // The name server stays silent, so that only the time limit ends the query.
    const seen = await observer(100, neverMs).observe('tea-shop.com');
    names.break('TXT tea-shop.com');
    expect(seen.sourcesRead).not.toContain('dns.txt');
  });

  it('the DNS records of a store are asked for at most 18 times, only for names of the store and the aliases of its host', async () => {
    names.queries.length = 0;
    await observer().observe('tea-shop.com');
    expect(names.queries.length).toBeLessThanOrEqual(18);
    const others = names.queries.filter((question) => !question.endsWith('tea-shop.com'));
    expect(others).toEqual(['CNAME shops.myshopify.com']);
  });

  it('DNS records of a host with an alias of itself or of a local network are not followed', async () => {
    names.queries.length = 0;
    expect((await observer().observe('loop-shop.com')).sourcesRead).toContain('dns.cname');
    expect((await observer().observe('inner-shop.com')).sourcesRead).toContain('dns.cname');
    expect(names.queries.filter((question) => question === 'CNAME loop-shop.com').length).toBeLessThanOrEqual(2);
    expect(names.queries.join()).not.toContain('db.internal');
  });

  it('DNS records of the domain of a platform are not taken for those of a store below it', async () => {
    names.queries.length = 0;
    expect((await observer().observe('tea.myshopify.com')).sourcesRead).toEqual(['home', 'dns.cname']);
    expect(names.queries).toEqual(['CNAME tea.myshopify.com']);
  });

  it('DNS records of a name that cannot be public are not asked for', async () => {
    names.queries.length = 0;
    const seen = await observer().observe('tea-shop.test');
    expect(names.queries).toEqual([]);
    expect(seen).toMatchObject({ scope: 'full', sourcesRead: ['home'] });
    expect(seen.coverageNote).not.toContain('DNS');
  });
});
