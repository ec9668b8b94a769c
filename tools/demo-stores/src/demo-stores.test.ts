import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { observeStore } from '@shopscope/fingerprint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoStores, startDemoStores } from './index.ts';

let stores: DemoStores;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-stores-'));
  stores = await startDemoStores({ host: '127.0.0.1', port: 0, testHostsFile: join(directory, 'hosts.json') });
});
afterAll(async () => {
  await stores.stop();
  await rm(directory, { recursive: true });
});

interface Fetched {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}

/** Sends a request as the scanner does: to the mapped address, with the name in the Host header. */
function visit(host: string, path = '/'): Promise<Fetched> {
  const target = stores.testHosts[host];
  return new Promise((resolve, reject) => {
    const request = get(
      { host: target?.address, port: target?.port, path, headers: { host, 'accept-encoding': 'gzip' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const raw = Buffer.concat(chunks);
          const body = response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      },
    );
    request.on('error', reject);
  });
}

describe('demo stores', () => {
  it('demo stores are at least 24 open stores over at least 8 platforms', () => {
    const open = stores.domains.filter((store) => store.state === 'open' && store.platform !== 'none');
    expect(open.length).toBeGreaterThanOrEqual(24);
    expect(new Set(open.map((store) => store.platform)).size).toBeGreaterThanOrEqual(9);
  });

  it('demo stores have names that are canonical domains', () => {
    for (const { domain } of stores.domains) {
      expect(canonicalizeDomain(domain)).toEqual({ ok: true, value: { domain, host: domain } });
    }
  });

  it('demo stores respond to requests of their home page, following their own redirect', async () => {
    for (const store of stores.domains.filter((each) => each.state === 'open')) {
      const first = await visit(store.domain);
      const location = first.status === 301 ? new URL(String(first.headers.location)).hostname : store.domain;
      const page = await visit(location);
      expect([store.domain, page.status]).toEqual([store.domain, 200]);
      expect(page.body.toString('latin1')).toMatch(/<title/);
    }
  });

  it('demo stores load an app and remove it again on request', async () => {
    const page = async () => (await visit('maple-and-moss.example')).body.toString();
    expect(await page()).not.toContain('klaviyo.com');
    stores.setApps('maple-and-moss.example', { add: ['klaviyo'], remove: ['loox'] });
    expect(await page()).toContain('static.klaviyo.com');
    expect(await page()).not.toContain('loox.io');
    expect(() => stores.setApps('maple-and-moss.example', { add: ['no-such-app'] })).toThrow(/no-such-app/);
  });

  it('demo stores change their apps by the control endpoint', async () => {
    const post = (path: string, body: unknown) =>
      fetch(`${stores.url}/__control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const changed = await post('tiny-acre-honey.example/apps', { add: ['hotjar'] });
    expect(await changed.json()).toMatchObject({ apps: expect.arrayContaining(['hotjar']) });
    expect((await post('tiny-acre-honey.example/state', { state: 'no-such-state' })).status).toBe(400);
    expect((await post('nobody.example/apps', {})).status).toBe(404);
  });

  it('demo stores show the setting of an app that is only set up, which a scan reports as configured', async () => {
    const stateIn = async (slug: string) => {
      const { body, status } = await visit('shopscope-demo.myshopify.com');
      const { technologies } = observeStore({ url: '', status, headers: {}, html: body.toString() });
      return technologies.find((technology) => technology.slug === slug)?.installState;
    };
    expect(await stateIn('klaviyo')).toBe('configured');
    stores.setApps('shopscope-demo.myshopify.com', { add: ['klaviyo'], configure: ['judge-me'] });
    expect([await stateIn('klaviyo'), await stateIn('judge-me')]).toEqual(['active', 'configured']);
    expect(() => stores.setApps('shopscope-demo.myshopify.com', { configure: ['smile'] })).toThrow(
      /smile \(known: klaviyo, judge-me\)/,
    );
  });

  it('demo stores move to another platform by the control endpoint and keep their products', async () => {
    const post = (body: unknown) =>
      fetch(`${stores.url}/__control/rosa-e-prata.example/platform`, { method: 'POST', body: JSON.stringify(body) });
    expect(await (await post({ platform: 'shopify', theme: 'Dawn' })).json()).toMatchObject({ platform: 'shopify' });
    const page = (await visit('rosa-e-prata.example')).body.toString();
    expect(page).toContain('Shopify.theme = {"name":"Dawn"');
    expect(page).toContain('Anel de prata');
    expect(page).not.toContain('parastorage.com');
    expect((await post({ platform: 'no-such-platform' })).status).toBe(400);
  });

  it('demo stores restore their changes after a restart with the same file, and only these', async () => {
    const changesFile = join(directory, 'changes.json');
    const start = () => startDemoStores({ host: '127.0.0.1', port: 0, changesFile });
    const shown = async ({ url }: DemoStores, domain: string) => (await fetch(`${url}/__control/${domain}`)).json();
    const first = await start();
    first.setApps('northwind-tea.example', { remove: ['klaviyo'] });
    first.setState('fjordlicht.example', 'password');
    first.setPlatform('tiny-acre-honey.example', { platform: 'shopify' });
    await first.stop();

    const second = await start();
    expect(await shown(second, 'northwind-tea.example')).toMatchObject({
      apps: ['judge-me', 'google-tag-manager', 'facebook-pixel'],
      state: 'open',
    });
    expect(await shown(second, 'fjordlicht.example')).toMatchObject({ state: 'password' });
    expect(await shown(second, 'tiny-acre-honey.example')).toMatchObject({ platform: 'shopify' });
    expect(Object.keys(JSON.parse(await readFile(changesFile, 'utf8')))).toHaveLength(3);
    await second.stop();
  });

  it('demo stores have their defined state when the changes file is invalid', async () => {
    const changesFile = join(directory, 'broken.json');
    await writeFile(changesFile, '{"northwind-tea.example":{"apps":["no-such-app"]},"fjordlicht.example":7}');
    const stopped = await startDemoStores({ host: '127.0.0.1', port: 0, changesFile });
    const northwind = await (await fetch(`${stopped.url}/__control/northwind-tea.example`)).json();
    expect(northwind).toMatchObject({ apps: expect.arrayContaining(['klaviyo']), state: 'open' });
    await stopped.stop();
  });

  it('demo stores serve a large Shopify listing in pages of at most 250', async () => {
    const count = async (page: number) => {
      const answer = await visit('ridge-runner-gear.example', `/products.json?limit=1000&page=${page}`);
      return (JSON.parse(answer.body.toString()) as { products: unknown[] }).products.length;
    };
    expect([await count(1), await count(2), await count(3)]).toEqual([250, 70, 0]);
  });

  it('demo stores serve a WooCommerce listing with minor units and its total', async () => {
    const answer = await visit('hearth-and-grain.example', '/wp-json/wc/store/v1/products?per_page=100');
    const rows = JSON.parse(answer.body.toString()) as { prices: { price: string } }[];
    expect(answer.headers['x-wp-total']).toBe('26');
    expect(rows[0]?.prices.price).toBe('1150');
  });

  it('demo stores include one store with a legacy charset', async () => {
    const page = await visit('juguetes-luna.example');
    expect(page.headers['content-type']).toBe('text/html; charset=iso-8859-1');
    expect(page.body.toString('latin1')).toContain('Logroño');
    expect(page.body.toString('utf8')).not.toContain('Logroño');
  });

  it('demo stores respond according to their state', async () => {
    expect((await visit('sleepy-lagoon.example')).body.toString()).toContain('template-password');
    expect((await visit('old-harbour-books.example')).headers.location).toBe('http://harbour-books.example/');
    expect((await visit('private-cellar.example', '/robots.txt')).body.toString()).toContain('Disallow: /\n');
    await expect(visit('gone-fishing-lures.example')).rejects.toThrow(/ECONNREFUSED/);
    stores.setState('nordverktyg.example', 'down');
    await expect(visit('nordverktyg.example')).rejects.toThrow();
  });

  it('demo stores write the address for scanners to the scan hosts file', async () => {
    const elsewhere = await startDemoStores({ host: '0.0.0.0', port: 0, testHostsAddress: 'localhost' });
    expect(new Set(Object.values(elsewhere.testHosts).map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    await elsewhere.stop();
  });

  it('demo stores write every host to the scan hosts file', async () => {
    const written = JSON.parse(await readFile(join(directory, 'hosts.json'), 'utf8'));
    expect(written).toEqual(stores.testHosts);
    expect(written['shop.bramble-yarns.example']).toMatchObject({ address: '127.0.0.1', tls: false });
  });
});
