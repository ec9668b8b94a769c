import { request } from 'node:http';
import { startDemoStores, storeDefinitions } from '@shopscope/demo-stores';
import fc from 'fast-check';
import { examinations } from '../../../src/domain/examination.ts';
import type { Fetched, HomeVisit } from '../../../src/domain/page.ts';

/** Contents that are mutated: the pages and listings of the demo stores. */
export interface Originals {
  pages: Buffer[];
  listings: Buffer[];
}

/** One call of an examination with foreign contents. */
export type ForeignCall = () => void;

const fetched = (url: string, type: string, body: Uint8Array): Fetched => ({
  url,
  status: 200,
  headers: { 'content-type': type },
  setCookies: [],
  body,
  ending: 'whole',
});
const visitOf = (page: Fetched, resources: Fetched[]): HomeVisit => ({
  page,
  resources,
  dns: {},
  certificate: undefined,
});

const maxOriginalBytes = 16_384;

/** Also compiles the rules, so that the first call does not take that time. */
export async function readOriginals(): Promise<Originals> {
  const body = new Uint8Array();
  examinations.home({
    domain: 'shop.example',
    visit: visitOf(fetched('https://shop.example/', 'text/html', body), []),
  });
  const stores = await startDemoStores({ host: '127.0.0.1', port: 0 });
  const { port } = new URL(stores.url);
  const read = (host: string, path: string) =>
    new Promise<Buffer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).subarray(0, maxOriginalBytes));
      });
      sent.on('error', reject).end();
    });
  try {
    const hosts = storeDefinitions.filter(({ state }) => (state ?? 'open') === 'open').map(({ domain }) => domain);
    const all = (path: string) => Promise.all(hosts.map((host) => read(host, path)));
    return {
      pages: await all('/'),
      listings: [...(await all('/products.json')), ...(await all('/wp-json/wc/store/v1/products'))],
    };
  } finally {
    await stores.stop();
  }
}

const tokens = fc.constantFrom(
  ...['<a>', '</a>', '<!--', '-->', '<script>', '</script>', '<script type="application/ld+json">', '<svg><title>'],
  ...[
    '<meta charset="utf-16">',
    '<meta http-equiv=refresh content="0;url=//">',
    '<base href="javascript:">',
    '<h1',
    '=',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '\\u0000',
    '&#x110000;',
    '&amp',
    '\0',
    '\ud800',
    '\u202e',
    'ẞİ',
    '漢',
    '\ufeff',
  ],
  ...[
    '"@graph":[',
    '"@type":"Product"',
    '"price":"1e400"',
    '"price":-0',
    '"price":"1.234,56"',
    '"price":"९९"',
    '$9,9.9.9 €',
  ],
  ...['"__proto__":{}', '"constructor":1', 'itemprop="price"', 'href="//[::1]:99999/%zz"', 'Shopify.shop=', '%', '%ff'],
  ...[
    'User-agent: *\n',
    'User-agent: ShopscopeBot\r',
    'Disallow: /*',
    'Disallow: /$',
    'Crawl-delay: 1e999\n',
    'Sitemap: :\n',
  ],
);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const inserted = fc.oneof(
  tokens.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 16 }),
  fc.tuple(tokens, fc.integer({ min: 2, max: 500 })).map(([text, times]) => Buffer.from(text.repeat(times))),
);
const change = fc.record({ at: fraction, removed: fc.oneof(fc.constant(0), fraction), inserted });
const applied = (original: Buffer, changes: readonly { at: number; removed: number; inserted: Uint8Array }[]): Buffer =>
  changes.reduce((bytes: Buffer, { at, removed, inserted: more }) => {
    const start = Math.floor(at * bytes.length);
    return Buffer.concat([
      bytes.subarray(0, start),
      more,
      bytes.subarray(start + Math.floor((removed * bytes.length) / 4)),
    ]);
  }, original);

/** JSON with the members of structured data and of listings. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(fc.jsonValue({ maxDepth: 1 }), tokens),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom(
        ...[
          '@type',
          '@graph',
          '@id',
          'name',
          'offers',
          'price',
          'priceCurrency',
          'lowPrice',
          'availability',
          'address',
        ],
        ...[
          'addressCountry',
          'itemListElement',
          'item',
          'products',
          'variants',
          'title',
          'prices',
          'currency_code',
          'sku',
        ],
      ),
      fc.oneof(tie('value'), fc.constantFrom('Product', 'Organization', 'Offer', 'EUR', '12.50', 'DE')),
      { maxKeys: 5 },
    ),
  ),
})).value;

const contentType = fc.oneof(
  fc.constantFrom(
    'text/html',
    'text/html; charset=utf-16',
    'text/html;charset="shift_jis"',
    'text/html; charset=gb18030',
  ),
  fc.constantFrom(
    'text/html; charset=iso-2022-jp',
    'text/html; charset=x-user-defined',
    'text/html; charset=replacement',
  ),
  fc.string({ maxLength: 40 }),
);

/** Calls of all examinations: mutated contents, assembled contents and arbitrary bytes. */
export function foreignCalls({ pages, listings }: Originals): fc.Arbitrary<ForeignCall> {
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  const mutated = (originals: readonly Buffer[]) =>
    fc.tuple(fc.constantFrom(...originals), changes).map(([original, list]) => applied(original, list));
  const assembled = fc.array(inserted, { maxLength: 60 }).map((parts) => Buffer.concat(parts));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((some) => Buffer.from(some)),
    assembled,
  );
  const structured = json.map((value) =>
    Buffer.from(`<script type="application/ld+json">${JSON.stringify(value)}</script>`),
  );
  const page = fc.oneof(mutated(pages), bytes, structured);
  const listing = fc.oneof(
    mutated(listings),
    json.map((value) => Buffer.from(JSON.stringify({ products: [value, value] }))),
    bytes,
  );
  const visit = fc
    .record({
      page,
      listing,
      type: contentType,
      path: fc.constantFrom('/products.json?limit=250&page=1', '/wp-json/wc/store/v1/products?per_page=100'),
    })
    .map((made) =>
      visitOf(fetched('https://shop.example/', made.type, made.page), [
        fetched(`https://shop.example${made.path}`, 'application/json', made.listing),
      ]),
    );
  const domain = 'shop.example';
  return fc.oneof(
    { weight: 6, arbitrary: visit.map((made) => () => void examinations.home({ domain, visit: made })) },
    {
      weight: 1,
      arbitrary: fc.tuple(visit, visit).map(([made, other]) => () => {
        const further = [{ kind: 'product', page: other.page } as const];
        examinations.site({ domain, home: { visit: made }, further });
      }),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(assembled, fc.webPath()).map(([body, path]) => () => {
        const group = examinations.robotsGroup({
          url: 'https://shop.example/robots.txt',
          body,
          product: 'ShopscopeBot',
        });
        examinations.robotsAllow({ group, target: `https://shop.example${path}` });
      }),
    },
  );
}
