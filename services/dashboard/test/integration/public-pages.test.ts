import { createVisitor } from '@shopscope/browser/visitor';
import { dayMs } from '@shopscope/clock';
import { freePort } from '@shopscope/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleObservations, startCorpus } from './support/corpus.ts';
import { startScanTargets } from './support/scan-targets.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startTechnologySearch } from './support/technology-search.ts';

let corpus: Awaited<ReturnType<typeof startCorpus>>;
let system: TestSystem;
let targets: Awaited<ReturnType<typeof startScanTargets>>;
let search: Awaited<ReturnType<typeof startTechnologySearch>>;
const day = (n: number) => Date.UTC(2026, 10, n);
const walled = {
  count: 3,
  code: 'challenged',
  firstAtMs: day(1),
  lastAtMs: day(3),
  restsUntilMs: Date.UTC(2126, 11, 3),
};
beforeAll(async () => {
  corpus = await startCorpus(exampleObservations);
  targets = await startScanTargets({
    'hostile.example': walled,
    'nobody-knows.example': { ...walled, count: 1, restsUntilMs: undefined },
  });
  search = await startTechnologySearch(
    { klaviyo: 4_210, 'judge-me': 800, drip: 4 },
    {
      platform: { shopify: 4_100, custom: 110 },
      country: { DE: 2_000, US: 1_500 },
      industry: { apparel: 900 },
      technology: { klaviyo: 4_210, 'judge-me': 720, loox: 3 },
    },
  );
  system = await startTestSystem({
    PROFILES_ADDRESS: corpus.address,
    SEARCH_ADDRESS: search.address,
    SCAN_SCHEDULER_ADDRESS: targets.address,
    EXAMPLE_STORES: 'prairie.example',
  });
});
afterAll(async () => {
  await system?.stop();
  await search?.stop();
  await targets?.stop();
  await corpus?.stop();
});

const get = (path: string, headers: Record<string, string> = {}) => system.anonymous().request(path, { headers });
const textOf = async (path: string) => (await get(path)).text();
/** Title, heading, and whether search engines are asked to leave the page out. */
const stateOf = (html: string) => [
  /<title>([^<]*)<\/title>/.exec(html)?.[1],
  /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1],
  /<meta name="robots" content="noindex"/.test(html),
];
const scriptsOf = (html: string) => [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);

describe('public page of a store', () => {
  it('the public page of a store shows name, platform, status, country, industry and technologies by category', async () => {
    const html = await textOf('/stores/prairie.example');
    for (const text of [
      'Prairie Boots',
      'Shopify',
      'Trading',
      'Germany',
      'Apparel',
      'Klaviyo',
      'Hotjar',
      'Prairie 2',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toContain('href="/technologies/klaviyo"');
    expect(html).not.toContain('href="/technologies/custom-theme"');
    // The technologies of one category, with those that are only set up at the end.
    expect(html.indexOf('/technologies/klaviyo')).toBeLessThan(html.indexOf('/technologies/drip'));
  });

  it('the public page of a generated store says that the store is generated, and that of another store does not', async () => {
    const generated = await textOf('/stores/demo-0001.example');
    expect(generated).toMatch(/This store is generated<.*It does not exist, and its scans are invented\./s);
    expect(generated).toMatch(
      /<meta name="description" content="This store is generated for the demo: it does not exist/,
    );
    expect(await textOf('/stores/prairie.example')).not.toContain('generated');
  });

  it('the public page of a store has no data that callers of the API pay for', async () => {
    const html = await textOf('/stores/prairie.example');
    for (const paid of [
      '7,310',
      '7310',
      '6120',
      'first_observed_at',
      'price_range',
      'recent_signals',
      'product_count',
    ]) {
      expect(html).not.toContain(paid);
    }
  });

  it('the public page of a store and the files for search engines show the month of the last scan, never its day', async () => {
    const html = await textOf('/stores/prairie.example');
    expect(html).toMatch(/Last scan<\/dt><dd>[A-Z][a-z]+ \d{4}<\/dd>/);
    expect(html).not.toContain('<time');
    for (const xml of [await textOf('/sitemap.xml'), await textOf('/sitemap/1.xml')]) {
      const days = [...xml.matchAll(/<lastmod>([^<]*)/g)].map(([, day]) => day);
      expect(days.length).toBeGreaterThan(0);
      for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-01$/);
    }
  });

  it('the page of a domain that the corpus lacks is a 404 that says what one can do, and is not indexed', async () => {
    const response = await get('/stores/nobody.example');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('nobody.example is not in our corpus');
    expect(html).toContain('That is not evidence that it is not a store.');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it('the public page of a store says why scans have not seen it and that it is scanned rarely, without their times', async () => {
    const html = await textOf('/stores/hostile.example');
    expect(html).toContain('The latest scans did not see the store');
    expect(html).toContain('A bot protection asked the visitor for a proof in place of the store.');
    expect(html).toContain('This began in November 2026. The profile shows what was seen before.');
    expect(html).toContain('Background scans visit the store at most every 30 days.');
    expect(html).not.toContain('<time');
    expect(html).not.toContain('stays billed');
    const unknown = await textOf('/stores/nobody-knows.example');
    expect(unknown).toContain('nobody-knows.example is not in our corpus');
    // The page does not show one failed scan, which concerns only the caller who asked for it.
    expect(unknown).not.toContain('did not see the store');
    expect(await textOf('/stores/prairie.example')).not.toContain('did not see the store');
  });

  it('the public page of a store renders a name of script, controls and 10,000 characters as harmless, bounded text', async () => {
    const html = await textOf('/stores/hostile.example');
    expect(html).toContain('&lt;script&gt;alert(');
    expect(scriptsOf(html)).toHaveLength(1);
    for (const control of ['\u202E', '\u0000']) expect(html).not.toContain(control);
    expect(html.length).toBeLessThan(60_000);
  });
});

describe('public pages', () => {
  const pages = [
    '/',
    '/stores',
    '/stores/prairie.example',
    '/technologies',
    '/technologies/klaviyo',
    '/docs',
    '/bot',
    '/status',
  ];

  it.each(pages)(
    'the public page %s loads one file of at most 10 KB as its only script, under script-src self',
    async (path) => {
      const response = await get(path);
      const html = await response.text();
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
      const [script, ...others] = scriptsOf(html);
      expect(others).toEqual([]);
      const source = /src="([^"]+)"/.exec(script ?? '')?.[1] ?? '';
      const file = await get(source);
      expect(file.headers.get('content-type')).toContain('javascript');
      expect((await file.arrayBuffer()).byteLength).toBeLessThan(10_000);
      expect(html).not.toMatch(/\son[a-z]+=|javascript:|<[^>]+\sstyle=/i);
    },
  );

  it.each(pages)('the public page %s has a share card and one address', async (path) => {
    const html = await textOf(path);
    for (const part of ['og:title', 'og:description', 'og:url', 'og:site_name', 'twitter:card'])
      expect(html).toContain(part);
    expect(html).toContain(`<link rel="canonical" href="${system.url}${path}"/>`);
  });

  it.each(pages)(
    'the public page %s is the same for everybody, may be cached, and is answered 304 when it is known',
    async (path) => {
      const response = await get(path, { cookie: 'theme=dark; time-zone=Asia%2FTokyo' });
      const isFront = path === '/';
      expect(response.headers.get('cache-control')).toBe(isFront ? 'private, no-cache' : 'public, max-age=60');
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).toBe(await textOf(path));
      // Without an explicit Cache-Control, fetch asks for a fresh answer.
      const headers = { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
      const known = await get(path, headers);
      expect([known.status, await known.text()]).toEqual([304, '']);
    },
  );

  it('every public page is sent with gzip only to those who accept it', async () => {
    const plain = await get('/docs', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const packed = await get('/docs', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.text()).toBe(await plain.text());
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  it.each([
    ['/stores/WWW.Prairie.Example', '/stores/prairie.example'],
    ['/stores/prairie.example/', '/stores/prairie.example'],
    ['/technologies/Klaviyo', '/technologies/klaviyo'],
  ])('the path %s is redirected permanently to %s', async (path, place) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([301, system.url + place]);
  });

  it.each([
    '/technologies/klaviyo.data',
    '/STORES/prairie.example.data?_routes=routes%2Fpublic%2Fstore',
    '/sitemap/1',
    `/stores/${'a'.repeat(2_200)}`,
  ])('the path %s, which resembles that of a page, does not return the content of the page', async (path) => {
    const response = await get(path);
    const text = await response.text();
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(text).not.toMatch(/klaviyo\.com|Prairie Boots|<loc>/);
    expect(response.headers.get('location')).not.toBe(path);
  });

  it('the front page leads people with a session to their workspaces', async () => {
    const person = await system.person('Front');
    const response = await (await system.signIn(person)).get('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, `${system.url}/workspaces`]);
  });
});

describe('search for a store', () => {
  it('the search for a store leads from any address of the store to its page', async () => {
    const response = await get(`/stores?domain=${encodeURIComponent('https://www.Prairie.example/boots?x=1')}`);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/stores/prairie.example']);
  });

  it('the search for a store says what is wrong with an input that is not a domain', async () => {
    const response = await get('/stores?domain=%3Cimg%20src%3Dx%3E');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('“&lt;img src=x&gt;” is not a domain of a store.');
  });
});

describe('pages of technologies', () => {
  it('the pages of technologies list the vocabulary by name, kind and category, a page at a time', async () => {
    const first = await textOf('/technologies?kind=platform');
    expect(first).toContain('href="/technologies/');
    const next = /href="(\/technologies\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await textOf(next);
    const slugs = (html: string) => [...html.matchAll(/href="\/technologies\/([^"]+)"/g)].map(([, slug]) => slug);
    expect(slugs(first).filter((slug) => slugs(second).includes(slug))).toEqual([]);
    expect(await textOf('/technologies?q=klav')).toContain('href="/technologies/klaviyo"');
    expect(await textOf('/technologies?q=no-such-name')).toContain('No technology matches');
  });

  it('the page of a technology shows its active stores by platform, country and industry, and what is found beside it, as the API does', async () => {
    const html = await textOf('/technologies/klaviyo');
    expect(html).toMatch(/>4,210<\/span> active stores/);
    expect(html).toContain('30 Nov 2026, 09:45');
    const tables = [...html.matchAll(/<table.*?<\/table>/gs)].map(([table]) =>
      table.replaceAll(/<svg.*?<\/svg>/gs, ''),
    );
    expect(
      tables.map((table) =>
        table
          .replaceAll(/<[^>]+>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    ).toEqual([
      'By platform Platform Stores Shopify 4,100 No known platform 110',
      'By country Country Stores Germany 2,000 United States 1,500',
      'By industry Industry Stores Apparel 900',
      'Found beside it Technology Stores Judge.me 720',
    ]);
    expect(html).toContain('href="/technologies/judge-me"');
    expect(html).not.toContain('href="/technologies/custom"');
    // A bar is as long as its share of the largest number.
    expect(html).toContain('width="100"');
    expect(html).toContain('width="75"');
  });

  it('the page of a technology does not show 1 to 4 stores, nor what they are', async () => {
    const html = await textOf('/technologies/drip');
    expect(html.replaceAll('<!-- -->', '')).toContain('Fewer than 5 active stores');
    expect(html).not.toContain('<table');
    expect(await textOf('/technologies/hotjar')).toMatch(/>0<\/span> active stores/);
  });

  it('the list of technologies begins with the largest numbers of stores on all its pages, and is alphabetical on request', async () => {
    const rowsOf = (html: string) =>
      [...html.matchAll(/<tr.*?<\/tr>/gs)]
        .slice(1)
        .map(([row]) => row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '));
    const linkOf = (html: string, parameter: string) =>
      new RegExp(`href="(/technologies\\?[^"]*${parameter}[^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const first = await textOf('/technologies');
    const [klaviyo, judgeMe, third, ...rest] = rowsOf(first);
    expect([klaviyo, judgeMe]).toEqual([
      expect.stringMatching(/Klaviyo .* 4,210 $/),
      expect.stringMatching(/Judge\.me .* 800 $/),
    ]);
    const second = rowsOf(await textOf(linkOf(first, 'after=')));
    expect([rest.length, second.length]).toEqual([47, 50]);
    expect([third, ...rest, ...second].every((row) => / 0 $/.test(row ?? ''))).toBe(true);
    const drip = rowsOf(await textOf('/technologies?q=drip')).find((row) => row.startsWith(' Drip Kind '));
    expect(drip).toMatch(/ fewer than 5 $/);
    expect(first).toContain('30 Nov 2026, 09:45');

    const byName = await textOf(linkOf(first, 'sort='));
    const slugsOf = (html: string) => [...html.matchAll(/href="\/technologies\/([^"]+)"/g)].map(([, slug]) => slug);
    const slugs = [...slugsOf(byName), ...slugsOf(await textOf(linkOf(byName, 'after=')))];
    expect([slugs.length, slugs]).toEqual([100, slugs.toSorted()]);
    expect(byName).toContain('href="/technologies"');
  });

  it('the page of a technology that the vocabulary lacks is a 404', async () => {
    expect((await get('/technologies/no-such-slug')).status).toBe(404);
  });
});

describe('files for search engines', () => {
  it('the files for search engines name the technologies with figures, with the day of the figures, and only pages that exist', async () => {
    const urlsIn = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url as string);
    expect(await textOf('/robots.txt')).toContain(`Sitemap: ${system.url}/sitemap.xml`);
    const files = urlsIn(await textOf('/sitemap.xml'));
    expect(files[0]).toBe(`${system.url}/sitemap/pages.xml`);
    const fixedFile = await textOf('/sitemap/pages.xml');
    const entry = (slug: string) => `<loc>${system.url}/technologies/${slug}</loc><lastmod>2026-11-30</lastmod>`;
    expect(fixedFile).toContain(entry('klaviyo'));
    const pages = urlsIn(fixedFile);
    expect(pages.filter((url) => url.includes('/technologies/'))).toEqual(
      ['klaviyo', 'judge-me'].map((slug) => `${system.url}/technologies/${slug}`),
    );
    for (const page of pages.slice(0, 20))
      expect([page, (await get(new URL(page).pathname)).status]).toEqual([page, 200]);
    expect((await get('/sitemap/99.xml')).status).toBe(404);
  });
});

describe('pages without profiles', () => {
  it('a public page answers 503 while profiles is unavailable, is not kept, and is complete again afterwards', async () => {
    const away = await startTestSystem({}, system.services);
    const response = await away.anonymous().get('/stores/prairie.example');
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    const state = 'This page is not available right now';
    expect(stateOf(await response.text())).toEqual([`${state} · Shopscope`, state, true]);
    expect((await away.anonymous().get('/docs')).status).toBe(200);
    await away.stop();
  });
});

describe('pages that do not exist', () => {
  it('a page that does not exist says so in its title and heading, and is not indexed', async () => {
    const response = await get('/nothing-here');
    const state = 'There is no such page';
    expect([response.status, ...stateOf(await response.text())]).toEqual([404, `${state} · Shopscope`, state, true]);
  });
});

describe('public host', () => {
  it('a public host of its own has the public pages only, and each page is at one of the two hosts', async () => {
    const port = String(await freePort());
    const [dashboard, site] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    const env = { HTTP_PORT: port, DASHBOARD_URL: dashboard, PUBLIC_SITE_URL: site };
    const two = await startTestSystem({ ...env, PROFILES_ADDRESS: corpus.address }, system.services);
    const ask = async (base: string, path: string) => {
      const { status, headers } = await createVisitor(base).get(path);
      return [status, headers.get('location')];
    };
    expect(await ask(site, '/docs')).toEqual([200, null]);
    expect(await ask(dashboard, '/docs')).toEqual([301, `${site}/docs`]);
    expect(await ask(dashboard, '/sign-in')).toEqual([200, null]);
    expect(await ask(site, '/sign-in?next=%2Faccount')).toEqual([302, `${dashboard}/sign-in?next=%2Faccount`]);
    const html = await (await createVisitor(site).get('/stores/prairie.example')).text();
    expect(html).toContain(`href="${dashboard}/sign-in"`);
    expect(html).toContain(`<link rel="canonical" href="${site}/stores/prairie.example"/>`);
    const assets = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect(await ask(site, assets)).toEqual([200, null]);
    await two.stop();
  });
});

describe('dashboard without search', () => {
  let away: Awaited<ReturnType<typeof startTechnologySearch>>;
  let without: TestSystem;
  beforeAll(async () => {
    away = await startTechnologySearch({}, {});
    away.isAway = true;
    const addresses = { PROFILES_ADDRESS: corpus.address, SEARCH_ADDRESS: away.address };
    without = await startTestSystem(addresses, system.services);
  });
  afterAll(async () => {
    await without?.stop();
    await away?.stop();
  });

  it('the pages of technologies answer without figures while search is away, ask it once in ten seconds, and the sitemap lacks them', async () => {
    const pageOf = async (path: string) => {
      const response = await without.anonymous().get(path);
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    for (const slug of ['klaviyo', 'judge-me', 'hotjar']) {
      const html = await pageOf(`/technologies/${slug}`);
      expect(html).toContain('The number of stores is not available right now.');
      expect(html).not.toContain('<table');
    }
    const list = await pageOf('/technologies');
    expect(list).toContain('The numbers of stores are not available right now.');
    expect(list).not.toMatch(/fewer than 5|Sorted by/);
    const file = await pageOf('/sitemap/pages.xml');
    expect(file).toContain(`${without.url}/technologies</loc>`);
    expect(file).not.toContain('/technologies/');
    // Each of the two kinds of calls is tried three times.
    expect(away.refused).toBeLessThanOrEqual(6);
  });

  it('the status page draws a day of which less than half was measured as partly measured', async () => {
    const day = (Math.floor(Date.now() / dayMs) - 3) * dayMs;
    await without.db
      .collection('status_days')
      .insertOne({ _id: day as never, day: new Date(day), minute: 0, measured: { api: 10 }, failed: {}, failing: [] });
    const html = await (await without.anonymous().get('/status')).text();
    expect(html).toMatch(/class="fill-control"><title>[^<]*: partly measured, 0 of 10 measured minutes/);
  });

  // This test is the last one, because it spends the limit for a minute.
  it('the limit of an address refuses more requests than people send, even for cached pages, and names the time to wait', async () => {
    const statuses = new Set<number>();
    let last: Response | undefined;
    let refusal = '';
    for (let n = 0; n < 320 && !statuses.has(429); n++) {
      last = await without.anonymous().get('/bot');
      statuses.add(last.status);
      refusal = await last.text();
    }
    expect([...statuses]).toEqual([200, 429]);
    expect(stateOf(refusal)).toEqual(['Too many requests · Shopscope', 'Too many requests', true]);
    expect(last?.headers.get('retry-after')).toBe('60');
  });
});
