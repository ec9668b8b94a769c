import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalizeDomain, hostOf, privateSuffixOf, registrableDomainOf, siteOf } from './index.ts';

const domainOf = (input: string) => {
  const result = canonicalizeDomain(input);
  return result.ok ? result.value.domain : result.problem;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('canonicalizeDomain', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['SHOP.Example', 'shop.example'],
    ['www.shop.example.', 'shop.example'],
    ['https://www.shop.example:8443/a?b#c', 'shop.example'],
    ['http://user:pass@shop.example/', 'shop.example'],
    ['//shop.example/path', 'shop.example'],
    ['shop.example/path', 'shop.example'],
    ['shop.example:443', 'shop.example'],
    ['  shop.example ', 'shop.example'],
    ['shop.co.uk', 'shop.co.uk'],
    ['deep.www.shop.co.uk', 'shop.co.uk'],
    ['one.myshopify.com', 'one.myshopify.com'],
    ['a.one.myshopify.com', 'one.myshopify.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['t.co', 't.co'],
  ])('canonicalizeDomain converts %s to %s', (input, domain) => {
    expect(domainOf(input)).toBe(domain);
  });

  it.each([
    ['', 'too_short'],
    ['ab', 'too_short'],
    ['localhost', 'not_registrable'],
    ['com', 'not_registrable'],
    ['co.uk', 'not_registrable'],
    ['myshopify.com', 'not_registrable'],
    ['127.0.0.1', 'ip_address'],
    ['http://2130706433/', 'ip_address'],
    ['0x7f.1', 'ip_address'],
    ['[::1]', 'ip_address'],
    ['http://[::ffff:127.0.0.1]/', 'ip_address'],
    ['ftp://shop.example', 'not_a_hostname'],
    ['shop example.com', 'not_a_hostname'],
    ['under_score.example', 'not_a_hostname'],
    ['-shop.example', 'not_a_hostname'],
    ['shop..example', 'not_a_hostname'],
    ['javascript:alert(1)', 'not_a_hostname'],
    [`${'a'.repeat(64)}.example`, 'not_a_hostname'],
    [`${'a.'.repeat(140)}example`, 'too_long'],
    ['x'.repeat(3000), 'too_long'],
  ])('canonicalizeDomain refuses %s as %s', (input, problem) => {
    expect(domainOf(input)).toBe(problem);
  });

  it('canonicalizeDomain converts a plain host name to the same domain as its URL', () => {
    const labels = [
      'a',
      'shop',
      'x--y',
      'a1-b2',
      '0x7f',
      '127',
      'www',
      'co',
      'myshopify',
      'a'.repeat(63),
      'a'.repeat(64),
    ];
    const ends = ['example', 'com', 'uk', 'co.uk', 'myshopify.com', 'x1', '1', 'c', 'invalid-', 'xn--p1ai'];
    for (const first of labels) {
      for (const second of ['', ...labels]) {
        for (const end of ends) {
          const host = [first, second, end].filter((part) => part !== '').join('.');
          expect(canonicalizeDomain(host), host).toEqual(canonicalizeDomain(`http://${host}/`));
        }
      }
    }
    const long = `${'a.'.repeat(122)}example.com`;
    expect(canonicalizeDomain(long)).toEqual(canonicalizeDomain(`http://${long}/`));
  });

  it('canonicalizeDomain accepts every host up to 253 characters, also with encoding, dot, port, credentials and a long path', () => {
    const long = `${'a.'.repeat(121)}example.com`;
    expect(long).toHaveLength(253);
    const encoded = long.replaceAll(/[a-z.]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    for (const host of [long, encoded]) {
      expect(domainOf(`https://user:p%40ss@${host}.:65535/@/${'x'.repeat(900)}`), host).toBe('example.com');
    }
  });

  // The conversion of a long host takes 0.7 ms, and a batch has a hundred entries.
  it.each([
    ['a host of a thousand labels', 'ü.'.repeat(1_024), 'too_long'],
    ['a percent-encoded host', `${'%C3%BC.'.repeat(290)}`, 'too_long'],
    ['credentials', `http://${'@'.repeat(2_000)}shop.example`, 'shop.example'],
    ['a path', `http://shop.example/${'ü'.repeat(2_000)}`, 'shop.example'],
  ])('canonicalizeDomain gives the URL parser no more than a host can have, of %s', (_, input, result) => {
    const parsed: number[] = [];
    const Parser = URL;
    vi.stubGlobal(
      'URL',
      class extends Parser {
        constructor(text: string) {
          parsed.push(text.length);
          super(text);
        }
      },
    );
    expect(domainOf(input)).toBe(result);
    expect(Math.max(0, ...parsed)).toBeLessThan(300);
  });

  it('canonicalizeDomain returns the host together with the registrable domain', () => {
    expect(canonicalizeDomain('https://Shop.Brand.example/x')).toEqual({
      ok: true,
      value: { domain: 'brand.example', host: 'shop.brand.example' },
    });
  });
});

describe('the host of a request', () => {
  it.each([
    ['www.victim.com', 'victim.com'],
    ['a_b.victim.com', 'victim.com'],
    ['-x.Victim.com.', 'victim.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['github.io', null],
    ['com', null],
  ])('the host of a request has the registrable domain of any name that DNS knows: %s', (text, domain) => {
    expect(registrableDomainOf(hostOf(text))).toBe(domain);
  });
});

describe('a private suffix', () => {
  it.each(['github.io', 'https://myshopify.com/', 'GitHub.io.'])(
    'a private suffix is a name below which others have sites: %s',
    (text) => {
      expect(privateSuffixOf(text)).toBe(
        new URL(text.includes('://') ? text : `http://${text}`).hostname.replace(/\.$/, ''),
      );
    },
  );

  it.each(['com', 'co.uk', 'victim.com', 'somebody.github.io', '203.0.113.7', 'localhost', ''])(
    'a private suffix is not %j',
    (text) => {
      expect(privateSuffixOf(text)).toBeNull();
    },
  );
});

describe('shops on platform hosts', () => {
  it.each([
    ['foo-shop.mybigcommerce.com', 'foo-shop.mybigcommerce.com'],
    ['https://www.foo.bigcartel.com/product/1', 'foo.bigcartel.com'],
    ['FOO.Stores.JP.', 'foo.stores.jp'],
    ['foo.lojavirtualnuvem.com.br', 'foo.lojavirtualnuvem.com.br'],
    ['xn--kse-qla.jimdofree.com', 'xn--kse-qla.jimdofree.com'],
    ['p1234.my.plentysystems.com', 'p1234.my.plentysystems.com'],
  ])(
    'shops on the host of a platform that the public suffix list lacks are stores of their own: %s is %s',
    (input, domain) => {
      expect(domainOf(input)).toBe(domain);
      expect(registrableDomainOf(hostOf(new URL(input.includes('/') ? input : `http://${input}`).hostname))).toBe(
        domain,
      );
    },
  );

  const reported =
    'bigcartel.com cafe24.com company.site jimdofree.com lojavirtualnuvem.com.br mitiendanube.com mybigcommerce.com myharavan.com mysapo.net myshoplaza.com myshopline.com myvtex.com odoo.com salla.sa shoplineapp.com stores.jp thebase.in webnode.page wordpress.com youcan.shop zid.store';
  it('two shops on each host that was reported as one store are two stores', () => {
    for (const host of reported.split(' ')) {
      expect(domainOf(`https://one.${host}/shop`)).toBe(`one.${host}`);
      expect(domainOf(`two.${host}`)).toBe(`two.${host}`);
      expect(domainOf(host)).toBe(host);
    }
  });

  it.each([
    'bigcartel.com',
    'www.bigcartel.com',
    'api.bigcartel.com',
    'v2.api.bigcartel.com',
    'app.bigcartel.com',
    'help.bigcartel.com',
    'docs.bigcartel.com',
    'cdn.bigcartel.com',
  ])('shops on a platform host differ from the platform’s site: %s is bigcartel.com', (input) => {
    expect(domainOf(input)).toBe('bigcartel.com');
  });

  it('shops on a platform host differ from labels that one row reserves', () => {
    expect(domainOf('runbot.odoo.com')).toBe('odoo.com');
    expect(domainOf('runbot.bigcartel.com')).toBe('runbot.bigcartel.com');
  });

  it('the hosts beside a platform host stay below their own domain', () => {
    expect(domainOf('www.plentysystems.com')).toBe('plentysystems.com');
    expect(domainOf('my.plentysystems.com')).toBe('plentysystems.com');
    expect(domainOf('notmybigcommerce.com')).toBe('notmybigcommerce.com');
  });
});

describe('siteOf', () => {
  it.each([
    ['www.shop.co.uk', { domain: 'shop.co.uk', suffix: 'co.uk' }],
    ['a.one.myshopify.com', { domain: 'one.myshopify.com', suffix: 'myshopify.com' }],
    ['a.one.bigcartel.com', { domain: 'one.bigcartel.com', suffix: 'bigcartel.com' }],
    ['help.bigcartel.com', { domain: 'bigcartel.com', suffix: 'com' }],
    ['com', null],
    ['localhost', null],
    ['192.0.2.1', null],
    ['[2001:db8::1]', null],
  ])('siteOf of %s is %j', (host, site) => {
    expect(siteOf(host)).toEqual(site);
  });
});
