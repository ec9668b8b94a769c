import { describe, expect, it } from 'vitest';
import { type Answer, otherAnswers, ownPages, parkedPages } from '../../test/support/answers.ts';
import { moreAnswers, moreOwnPages, moreParkedPages } from '../../test/support/more-answers.ts';
import { withTitle } from '../../test/support/walls.ts';
import { lookAtPage, type PageInput } from '../index.ts';

const pageOf = ({ url = 'https://shop.example/', status = 200, headers = {}, body }: Answer): PageInput => ({
  url,
  status,
  headers: { 'content-type': 'text/html', ...headers },
  html: body,
});

const teas = ['assam', 'oolong', 'sencha', 'kukicha']
  .map((tea) => `<a href="/products/${tea}">${tea}</a> <span class="price">$12.00</span>`)
  .join('');
const shopOfPlatform = `<title>Acme</title><script>Shopify.shop = "acme.myshopify.com";</script><script
  src="https://cdn.shopify.com/s/files/1/0001/t/1/assets/theme.js"></script><a href="/cart">Cart</a>${teas}<form
  action="/cart/add" method="post"><button>Add to cart</button></form>`;

describe('answer that is not the page of a store', () => {
  const refused = [...otherAnswers, ...moreAnswers];
  it.each(refused)('an answer that is not the page of a store is refused: %s is %s', (_, code, answer) => {
    expect(lookAtPage(pageOf(answer)).failure?.code).toBe(code);
  });

  it.each(refused.filter(([, code]) => code !== 'undecodable' && code !== 'not_html'))(
    'an answer that is not the page of a store is refused with the title of a shop, too: %s (%s)',
    (_, __, answer) => {
      expect(lookAtPage(withTitle(pageOf(answer), 'Northwind Tea – fine teas')).failure).toBeDefined();
    },
  );

  it.each([...parkedPages, ...moreParkedPages])(
    'an answer that is not the page of a store has the status parked: %s',
    (_, answer) => {
      expect(lookAtPage(pageOf(answer)).seen?.status.state).toBe('parked');
    },
  );

  it('an answer that is not the page of a store is refused by its status, unless a wall says why', () => {
    const of = (status: number, body = '<title>Tea</title><h1>Tea</h1><p>Fine teas from the mountains.</p>') =>
      lookAtPage(pageOf({ status, body })).failure?.code;
    expect([401, 403, 429, 451, 500, 503].map((status) => of(status))).toEqual([
      'forbidden',
      'forbidden',
      'rate_limited',
      'forbidden',
      'server_error',
      'server_error',
    ]);
    const wall = '<p id="cmsg">Please enable JS and disable any ad blocker</p>';
    expect([403, 429, 503].map((status) => of(status, wall))).toEqual(['challenged', 'challenged', 'challenged']);
    expect(of(500, '<h1>Error establishing a database connection</h1>')).toBe('server_error');
  });

  it('an answer on another domain is refused when its address has a return URL, and redirected otherwise', () => {
    const at = (url: string) =>
      lookAtPage({
        ...pageOf({ body: '<title>Owner</title><h1>Owner</h1><p>We make fine things since 1901.</p>' }),
        url,
        requestedHost: 'shop.example',
      });
    const failing = {
      'https://id.other.example/login?return=/': 'login_wall',
      'https://other.example/consent?target=https%3A%2F%2Fwww.shop.example%2F': 'consent_wall',
      'https://other.example/x?anything=https%3A%2F%2Fshop.example%2F': 'interstitial_page',
      'https://other.example/x?u=aHR0cHM6Ly9zaG9wLmV4YW1wbGUv': 'interstitial_page',
      'https://other.example/x#/start?redirect_uri=https%3A%2F%2Fshop.example': 'interstitial_page',
    };
    for (const [url, code] of Object.entries(failing)) expect(at(url).failure?.code, url).toBe(code);
    for (const url of [
      'https://other.example/',
      'https://other.example/?utm_source=shop.example',
      'https://other.example/brands?d=shop.example&lang=en',
      'https://other.example/?target=blue',
      'https://other.example/?u=https%3A%2F%2Fanother.example%2F',
    ]) {
      expect(at(url).seen?.status.state, url).toBe('redirected');
    }
  });

  it('a redirect page leads a scan to its target only within the site', () => {
    const leads = (target: string) =>
      lookAtPage(pageOf({ body: `<meta http-equiv="refresh" content="0;url=${target}">` })).failure;
    expect(leads('/en/')).toMatchObject({ code: 'redirect_page', leadsTo: 'https://shop.example/en/' });
    expect(leads('https://www.shop.example/')).toMatchObject({ leadsTo: 'https://www.shop.example/' });
    // Each shop on a host of a platform is a site of its own.
    const shop = pageOf({
      url: 'https://x.mybigcommerce.com/',
      body: '<meta http-equiv="refresh" content="0;url=//y.mybigcommerce.com">',
    });
    expect(lookAtPage(shop).failure).toEqual({ code: 'redirect_page', message: expect.any(String) });
    expect(leads('https://other.example/')).toEqual({ code: 'redirect_page', message: expect.any(String) });
    expect(leads('javascript:alert(1)')?.leadsTo).toBeUndefined();
  });
});

describe('own page of a site', () => {
  it.each(ownPages)('a site’s own page is observed: %s', (_, body) => {
    expect(lookAtPage(pageOf({ body })).failure).toBeUndefined();
  });

  it.each(moreOwnPages)('a site’s own page is observed, and neither parked nor closed: %s', (_, answer) => {
    const { seen, failure } = lookAtPage(pageOf(answer));
    expect(failure).toBeUndefined();
    expect(seen?.status.state).toMatch(/^(?:active|not_a)_storefront$/);
  });

  it.each([
    ['password_protected', '<body class="template-password"><h1>Opening soon</h1><form><input type="password"></form>'],
    [
      'password_protected',
      '<div class="wp-block-woocommerce-coming-soon woocommerce-coming-soon-banner">Coming soon</div>',
    ],
    ['closed', '<title>Shop</title><h1>Sorry, this shop is currently unavailable.</h1>'],
    ['parked', '<title>shop.example</title><h1>This domain is for sale</h1>'],
  ])('a site’s own page has the status %s when its platform or registrar says so', (state, body) => {
    expect(lookAtPage(pageOf({ body })).seen?.status.state).toBe(state);
  });

  const missing = [404, 410, 402];
  it.each([
    ['Shopify', '<title>Shop</title><h1>Sorry, this shop is currently unavailable.</h1>'],
    [
      'Shopify, frozen',
      '<title>Store</title><h1>This store is unavailable</h1><p>Are you the owner? <a>Log in</a></p>',
    ],
    ['Squarespace', '<title>Website Expired</title><h1>Website Expired</h1><p>This account has expired.</p>'],
    ['a platform in Spanish', '<title>Tienda</title><h1>Esta tienda está cerrada</h1><p>Crea la tuya.</p>'],
    ['a platform in German', '<title>Shop</title><p>Dieser Shop ist nicht mehr verfügbar.</p>'],
    ['a platform in Japanese', '<title>Shop</title><p>このショップは現在非公開です。</p>'],
  ])('a site’s own page is closed when %s says so, even with a status of missing pages', (_, body) => {
    for (const status of [200, ...missing])
      expect(lookAtPage(pageOf({ status, body })).seen?.status.state, `${status}`).toBe('closed');
  });

  it.each([
    ['a working shop', shopOfPlatform],
    [
      'a working shop of no platform',
      `<title>Acme</title>${teas}<a href="/cart">Cart (0)</a><a href="/checkout">→</a>`,
    ],
    ['the missing page of a shop', `<title>Page not found – Acme</title><h1>Page not found</h1>${teas}`],
    ['the error of a server', '<title>404 Not Found</title><h1>404 Not Found</h1><hr><center>nginx</center>'],
    ['a page that says nothing of it', '<title>Acme</title><h1>Acme</h1><p>We make fine teas since 1901.</p>'],
    ['a shop with its hours', `<title>Acme</title>${teas}<p>The shop is closed on Sundays.</p>`],
  ])('a site’s own page is neither closed nor a page by the status alone: %s', (_, body) => {
    for (const status of missing)
      expect(lookAtPage(pageOf({ status, body })).failure?.code, `${status}`).toBe('error_page');
    expect(lookAtPage(pageOf({ body })).seen?.status.state).not.toBe('closed');
  });

  it.each([
    ['Ruhetag', 'Dieser Shop ist geschlossen am Montag.'],
    ['fermeture', 'Cette boutique est fermée le dimanche.'],
    ['horario', 'Esta tienda está cerrada los domingos.'],
  ])('a site’s own page is not closed by its hours: %s', (_, text) => {
    expect(lookAtPage(pageOf({ body: `<title>Acme</title>${teas}<p>${text}</p>` })).seen?.status.state).not.toBe(
      'closed',
    );
  });

  it('a site’s own page is closed by the status 404 with the words of the platform, and not by those of a server', () => {
    const of = (body: string) => lookAtPage(pageOf({ status: 404, body }));
    expect(of('<title>Not found</title><h1>This shop is unavailable</h1>').seen?.status.state).toBe('closed');
    expect(of('<title>404 Not Found</title><h1>404 Not Found</h1><hr>nginx').failure?.code).toBe('error_page');
  });
});
