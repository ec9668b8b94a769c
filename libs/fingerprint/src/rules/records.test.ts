import { describe, expect, it } from 'vitest';
import { observeStore } from '../observe-store.ts';
import { readRecords } from '../page/records.ts';
import type { Certificate, DnsRecords } from '../types.ts';
import { vocabulary } from '../vocabulary.ts';
import { recordTechnologies } from './tables.ts';

const html = '<!doctype html><html><head><title>Tea</title></head><body>Tea</body></html>';
const observed = (dns: DnsRecords, certificate?: Certificate, body = html) =>
  observeStore({
    url: 'https://www.tea-shop.com/',
    status: 200,
    headers: {},
    html: body,
    dns,
    ...(certificate && { certificate }),
  });
const found = (slug: string, ...page: Parameters<typeof observed>) =>
  observed(...page).technologies.find((technology) => technology.slug === slug);

describe('records of the domain', () => {
  it.each<[slug: string, DnsRecords]>([
    ['google-workspace', { mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'] }],
    ['microsoft-365', { mx: ['teashop-com.mail.protection.outlook.com'] }],
    ['microsoft-365', { txt: ['MS=ms51234567'] }],
    ['mailchimp', { dkim: ['k2 dkim2.mcsv.net'] }],
    ['klaviyo', { dkim: ['kl kl.domainkey.u123456.wl189.sendgrid.net'] }],
    ['klaviyo', { txt: ['klaviyo-site-verification=AbC123'] }],
    ['sendgrid', { txt: ['v=spf1 a include:sendgrid.net ~all'] }],
    ['sendgrid', { dkim: ['s1 s1.domainkey.u123456.wl189.sendgrid.net'] }],
    ['zendesk', { txt: ['v=spf1 include:_spf.google.com include:mail.zendesk.com -all'] }],
    ['zendesk', { help: ['help teashop.zendesk.com'] }],
    ['cloudflare', { ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }],
    ['amazon-web-services', { ns: ['ns-1.awsdns-00.co.uk'] }],
  ])('records of the domain show %s as configured, by %j', (slug, dns) => {
    const [kind] = Object.keys(dns);
    expect(found(slug, dns)).toMatchObject({
      installState: 'configured',
      confidence: 'medium',
      sources: [`dns.${kind}`],
    });
  });

  it('records of the domain show the platform and the CDN that serve the host as active', () => {
    const seen = observed({ cname: ['shops.myshopify.com'] });
    expect(seen.platform).toEqual({ slug: 'shopify', name: 'Shopify', confidence: 'medium' });
    expect(found('fastly', { cname: ['prod.map.fastly.net'] })).toMatchObject({ installState: 'active' });
    expect(found('cloudflare', {}, { names: ['sni.cloudflaressl.com', 'tea-shop.com'], issuer: '' })).toMatchObject({
      installState: 'active',
      sources: ['certificate'],
    });
  });

  it('records of the domain are evidence beside the page: two kinds of evidence give high confidence, and both are sources', () => {
    const page = '<html><head><script src="https://static.zdassets.com/ekr/snippet.js?key=1"></script></head></html>';
    expect(found('zendesk', { txt: ['v=spf1 include:mail.zendesk.com ~all'] }, undefined, page)).toMatchObject({
      installState: 'active',
      confidence: 'high',
      sources: ['dns.txt', 'home'],
    });
  });

  it.each<[string, DnsRecords]>([
    [
      'a host that only ends like the vendor',
      { mx: ['notaspmx.l.google.com.evil.com', 'fakeshops.myshopify.com.evil.com'] },
    ],
    ['a vendor named outside of the record of senders', { txt: ['we moved from include:sendgrid.net to another'] }],
    ['a longer name of a sender', { txt: ['v=spf1 include:notsendgrid.net include:sendgrid.net.evil.com ~all'] }],
    ['a wildcard that answers for every label', { dkim: ['zendesk1 shops.myshopify.com', 's1 pages.example.net'] }],
    [
      'verification records that prove no product',
      { txt: ['google-site-verification=abc', 'facebook-domain-verification=abc'] },
    ],
  ])('records of the domain show nothing by %s', (_, dns) => {
    expect(observed(dns).technologies).toEqual([]);
  });

  it('records of a kind that outlives a move of the shop never name a platform', () => {
    const platforms = new Set(vocabulary.filter(({ kind }) => kind === 'platform').map(({ slug }) => slug));
    const patterns = recordTechnologies.filter(({ slug }) => platforms.has(slug)).flatMap((one) => one.patterns);
    expect(new Set(patterns.map(({ key }) => key))).toEqual(new Set(['cname']));
  });

  it('records of hostile length and number are read within their bounds', () => {
    const txt = Array.from({ length: 5_000 }, () => `v=spf1 ${'include:sendgrid.net.'.repeat(5_000)}`);
    let reads = 0;
    const counted = new Proxy(txt, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key);
      },
    });
    expect(observed({ txt: counted }).technologies).toEqual([]);
    expect(reads).toBeLessThanOrEqual(100);
    const values = readRecords({ dns: { txt } }).get('txt') ?? [];
    expect(values.length).toBeLessThanOrEqual(100);
    expect(Math.max(...values.map(({ length }) => length))).toBeLessThanOrEqual(300);
    // The end of a long text is not read.
    expect(found('sendgrid', { txt: [`v=spf1 ${'a'.repeat(1_900)} include:sendgrid.net ~all`] })).toBeDefined();
    expect(found('sendgrid', { txt: [`v=spf1 ${'a'.repeat(2_000)} include:sendgrid.net ~all`] })).toBeUndefined();
  });
});
