import { describe, expect, it } from 'vitest';
import { type FurtherPageInput, observeSite } from './observe-site.ts';
import { observeStore } from './observe-store.ts';
import type { FurtherPageKind, PageInput } from './types.ts';

const shopify =
  '<script>var Shopify = Shopify || {}; Shopify.shop = "tea.myshopify.com"; Shopify.theme = {"id":1};</script>';
const page = (body: string, url = 'https://tea-shop.com/', head = ''): PageInput => ({
  url,
  status: 200,
  headers: {},
  html: `<!doctype html><html lang="en"><head>${shopify}${head}</head><body>${body}</body></html>`,
});
const link = (href: string, text = 'x', attributes = '') => `<a href="${href}" ${attributes}>${text}</a>`;
const furtherOf = (body: string, head = '') => observeStore(page(body, undefined, head)).furtherPages;
const kindsOf = (body: string, head = '') => furtherOf(body, head).map(({ kind }) => kind);

describe('further pages', () => {
  it.each<[FurtherPageKind, string, string]>([
    ['imprint', '/impressum', 'x'],
    ['imprint', '/policies/legal-notice', 'x'],
    ['imprint', '/index.php?route=information/information&id=4', 'Mentions légales'],
    ['contact', '/pages/contact-us', 'x'],
    ['contact', '/nous-contacter.html', 'x'],
    ['contact', '/index.php?id=7', 'Fale Conosco'],
    ['about', '/quem-somos/', 'x'],
    ['about', '/%C3%BCber-uns', 'x'],
    ['product', '/products/green-tea', 'x'],
    ['product', '/collections/all/products/green-tea', 'x'],
    ['product', '/product-page/green-tea', 'x'],
    ['product', '/index.php?route=product/product&product_id=4', 'x'],
    ['cart', '/cart', 'x'],
    ['cart', '/checkout/warenkorb/', 'x'],
  ])('further pages have the kind %s at %s with the text %s', (kind, href, text) => {
    expect(furtherOf(link(href, text))).toEqual([{ kind, url: new URL(href, 'https://tea-shop.com/').href }]);
  });

  it('further pages may be products that only their class shows', () => {
    expect(kindsOf(link('/green-tea.html', 'Green tea', 'class="product-item-link"'))).toEqual(['product']);
  });

  it.each([
    'https://other.com/impressum',
    'https://shop.tea-shop.com/impressum',
    'mailto:contact@tea-shop.com',
    'javascript:contact()',
    '#contact',
    'http://[/contact',
    '/blog/how-to-contact-a-supplier',
    '/products/all',
    '/',
  ])('further pages are not %s', (href) => {
    expect(furtherOf(link(href))).toEqual([]);
  });

  const everything = ['/impressum', '/contact', '/about', '/products/green-tea', '/products/black-tea', '/cart'].map(
    (href) => link(href),
  );

  it('further pages are at most five, one of each kind, chosen for what is unknown', () => {
    expect(kindsOf(everything.join(''))).toEqual(['imprint', 'contact', 'about', 'product', 'cart']);
  });

  it('further pages are only those for what is still unknown', () => {
    const known = `<meta property="og:site_name" content="Tea Shop"><script type="application/ld+json">
      {"@type":"Organization","name":"Tea Shop","address":{"@type":"PostalAddress","addressCountry":"DE"}}</script>`;
    expect(kindsOf(everything.join(''), known)).toEqual(['product', 'cart']);
    const paid = `${known}<script src="https://js.stripe.com/v3/"></script>`;
    expect(kindsOf(everything.join(''), paid)).toEqual(['product']);
  });

  const known = `<meta property="og:site_name" content="Tea Shop"><script type="application/ld+json">
    {"@type":"Organization","name":"Tea Shop","address":{"@type":"PostalAddress","addressCountry":"DE"}}</script>
    <script src="https://js.stripe.com/v3/"></script><script src="https://cdn.judge.me/loader.js"></script>`;

  it('one further page is chosen when nothing is unknown, so that it can agree with what the home page shows', () => {
    expect(kindsOf(everything.join(''), known)).toEqual(['product']);
    expect(kindsOf(link('/contact') + link('/about'), known)).toEqual(['about']);
    expect(kindsOf('', known)).toEqual([]);
  });

  it('a further page is of another kind when the page links none of the kinds for what is unknown', () => {
    const [unpaid] = known.split('<script src="https://js.stripe.com');
    expect(kindsOf(link('/contact'), unpaid)).toEqual(['contact']);
  });

  it('a site that is not a shop, a closed shop and a shop behind a password have no further pages', () => {
    const html = `<html><body>${everything.join('')}</body></html>`;
    const of = (over: Partial<PageInput>) => observeStore({ ...page(''), html, ...over }).furtherPages;
    expect(of({})).toEqual([]);
    expect(of({ html: `<html><head>${shopify}</head><body class="template-password">${everything.join('')}` })).toEqual(
      [],
    );
    expect(of({ status: 404 })).toEqual([]);
  });
});

describe('site of several pages', () => {
  const siteOf = (home: PageInput, further: FurtherPageInput[]) => observeSite(observeStore(home), further);
  const at = (kind: FurtherPageKind, body: string, head = '') => ({
    kind,
    page: page(body, `https://tea-shop.com/${kind}`, head),
  });

  it('a site of several pages has the technologies of all pages, each with what showed it', () => {
    const seen = siteOf(
      page('', undefined, '<script src="https://static.klaviyo.com/onsite/js/klaviyo.js"></script>'),
      [
        at(
          'product',
          '',
          '<script src="https://cdn.judge.me/loader.js"></script><script src="https://static.klaviyo.com/onsite/js/klaviyo.js"></script>',
        ),
      ],
    );
    expect(seen.technologies).toMatchObject([
      { slug: 'judge-me', sources: ['product'] },
      { slug: 'klaviyo', sources: ['home', 'product'] },
      { slug: 'shopify', sources: ['home'] },
    ]);
  });

  it('a site of several pages keeps the platform of its home page, and says which one each other page shows', () => {
    const home = { ...page(''), html: '<html><body>Tea</body></html>' };
    const bare = {
      kind: 'about' as const,
      page: { ...page(''), html: '<html><body>Tea from the mountains</body></html>' },
    };
    const seen = siteOf(home, [at('product', ''), bare]);
    expect([seen.platform.slug, seen.furtherPlatforms]).toEqual(['custom', ['shopify', 'custom']]);
    expect(siteOf(home, []).furtherPlatforms).toEqual([]);
    expect(seen.technologies.map(({ slug }) => slug)).not.toContain('shopify');
  });

  it('a site of several pages takes a certain country and name from an imprint when those of the home page are uncertain', () => {
    const imprint = at(
      'imprint',
      '',
      `<script type="application/ld+json">{"@type":"Organization","name":"Blattgold Teehaus","url":"https://tea-shop.com",
       "address":{"@type":"PostalAddress","addressCountry":"AT"}}</script><meta property="og:site_name" content="Blattgold Teehaus">`,
    );
    const seen = siteOf(page(''), [imprint]);
    expect(seen.geography).toEqual({ country: 'AT', basis: 'declared' });
    expect(seen.name).toBe('Blattgold Teehaus');
    const declared =
      '<script type="application/ld+json">{"@type":"Organization","address":{"@type":"PostalAddress","addressCountry":"DE"}}</script>';
    expect(siteOf(page('', undefined, declared), [imprint]).geography.country).toBe('DE');
  });

  it('a site of several pages takes no country from a product page', () => {
    const product = at('product', '<p>Postal address: Hauptstraße 1, 10115 Berlin, Germany</p>');
    expect(siteOf(page(''), [product]).geography).toEqual(observeStore(page('')).geography);
  });
});
