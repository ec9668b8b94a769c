import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Label, partOf } from './labels.ts';
import type { Report } from './report.ts';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'accuracy-'));
const pages = join(folder, 'pages');
const truth = join(folder, 'truth');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command as its bootstrap does. */
function accuracy(...args: string[]) {
  const options = ['--conditions=@shopscope/source', script, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8', cwd: folder });
  return { code: status, out: stdout, err: stderr };
}

/** The first of the hosts `NAME-1.example`, `NAME-2.example` … that belongs to the part. */
function hostIn(part: 'open' | 'held', name: string): string {
  for (let number = 1; ; number++) {
    const host = `${name}-${number}.example`;
    if (partOf(host) === part) return host;
  }
}

const shop = `<!doctype html><html lang="en"><head><title>Teapots</title>
<script>Shopify.shop = "teapots.myshopify.com";</script>
<script src="https://cdn.shopify.com/shopifycloud/shopify/assets/storefront/features.js"></script>
<script src="https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=AbC123"></script>
</head><body><div id="shopify-section-header" class="shopify-section"></div><button>Add to cart</button></body></html>`;
const blog = `<!doctype html><html lang="en"><head><title>Notes</title>
<script src="/wp-content/plugins/woocommerce/assets/js/frontend/cart.js"></script></head><body><p>Notes</p></body></html>`;
const library = '<!doctype html><html><head><title>Library</title></head><body><h1>Opening hours</h1></body></html>';

const label = (over: Partial<Label>): Label => ({
  file: '',
  page_kind: 'home',
  name: { value: 'Anything', also: [] },
  country: { value: 'IS', sure: true },
  industry: { value: 'food', also: [] },
  status: { value: 'active_storefront', sure: true },
  products: { listed: 0, currency: null, lowest: null, highest: null },
  versions: [],
  technologies: null,
  ...over,
});
const technology = (slug: string | null, name: string) => ({ slug, name, category: 'other', state: 'active' as const });

beforeAll(() => {
  mkdirSync(pages);
  mkdirSync(join(truth, 'negatives'), { recursive: true });
  const index = [
    { file: 'shop.html.gz', url: 'https://teapots.example/', platform: 'shopify' },
    { file: 'blog.html.gz', url: 'https://notes.example/', platform: 'woocommerce' },
    { file: 'library.html.gz', url: null, host: hostIn('open', 'library'), platform: null },
    // Not gzipped: reading one of these fails.
    { file: 'held-none.html.gz', url: null, host: hostIn('held', 'museum'), platform: null },
    { file: 'held-shop.html.gz', url: null, host: hostIn('held', 'shop'), platform: 'shopify' },
  ];
  writeFileSync(join(pages, 'index.json'), JSON.stringify({ pages: index }));
  writeFileSync(join(pages, 'shop.html.gz'), gzipSync(shop));
  writeFileSync(join(pages, 'blog.html.gz'), gzipSync(blog));
  writeFileSync(join(pages, 'library.html.gz'), gzipSync(library));
  for (const file of ['held-none.html.gz', 'held-shop.html.gz']) writeFileSync(join(pages, file), 'not gzipped');
  const technologies = [
    technology('shopify', 'Shopify'),
    technology('klaviyo', 'Klaviyo'),
    technology(null, 'Unheard Widget'),
  ];
  const open = [
    label({ file: 'shop.html.gz', technologies }),
    label({ file: 'blog.html.gz', status: { value: 'not_a_storefront', sure: true } }),
    label({ file: 'away.html.gz' }),
  ];
  const lines = (labels: Label[]) => labels.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(truth, 'open.jsonl'), lines(open));
  writeFileSync(join(truth, 'held.jsonl'), lines([label({ file: 'held-shop.html.gz' })]));
  writeFileSync(join(truth, 'vocabulary.txt'), 'shopify\njquery\n');
  writeFileSync(join(truth, 'negatives/01-quoting-blog.html'), '<pre>Shopify.shop = &quot;a&quot;;</pre>');
});

describe('npm run accuracy', { tags: ['nightly'] }, () => {
  it('npm run accuracy compares the open pages with their labels and opens no other page', () => {
    const { code, out, err } = accuracy(pages, '--truth', truth, '--json');
    expect([code, err]).toEqual([0, '']);
    const report = JSON.parse(out) as Report;
    expect(report.pages).toEqual({ labelled: 2, withTechnologies: 1, missing: ['away.html.gz'] });
    expect(report.fields.platform).toMatchObject({ cases: 2, right: 2 });
    expect(report.technologies.total).toMatchObject({ right: 2, labelled: 3 });
    expect(report.technologies.storePages).toMatchObject({ pages: 1, right: 2 });
    expect(report.technologies.storePages.wappalyzerRight).toBeGreaterThanOrEqual(1);
    expect(report.negatives.saved).toMatchObject({ pages: 1, takenForPlatform: 0 });
    expect(report.negatives.constructed).toMatchObject({ pages: 1, takenForPlatform: 0 });
    expect(report.speed.calls).toBe(3 * 4);
    expect(report.mistakes).toContainEqual({
      file: 'shop.html.gz',
      field: 'technology',
      outcome: 'unknown',
      said: '',
      label: 'Unheard Widget',
    });
  });

  it('npm run accuracy prints a table', () => {
    const { code, out } = accuracy(pages, '--truth', truth);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Part open: 2 labelled pages, 1 of them with technologies\.\n\nNot in the folder: away\.html\.gz\.\n/,
    );
    expect(out).toMatch(/^platform +2 +2 +0 +0 +0 +100\.0 % \(34\.2–100\.0\)$/m);
    expect(out).toMatch(/^wappalyzer 6\.10\.47 +\d/m);
    expect(out).toMatch(/^constructed +1 +0 +0\.0 % /m);
  });

  it('npm run accuracy prints no single result of held-back pages', () => {
    writeFileSync(join(pages, 'held-shop.html.gz'), gzipSync(shop));
    writeFileSync(join(pages, 'held-none.html.gz'), gzipSync(library));
    const { code, out } = accuracy(pages, '--truth', truth, '--part', 'held', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ part: 'held', pages: { labelled: 1 }, negatives: { saved: { pages: 1 } } });
    expect(JSON.parse(out)).not.toHaveProperty('mistakes');
  });

  it('npm run accuracy lists the handles that no rule knows by their numbers of pages, even without labels and an index', () => {
    const saved = mkdtempSync(join(folder, 'saved-'));
    const plugin = (name: string) => `<link rel="stylesheet" href="/wp-content/plugins/${name}/a.css">`;
    const known = `<script src="/wp-includes/js/a.js"></script>${plugin('woocommerce')}`;
    writeFileSync(join(saved, 'a.html'), `${known}${plugin('plugin-of-nobody')}${plugin('another-of-nobody')}`);
    writeFileSync(join(saved, 'b.html.gz'), gzipSync(`${known}${plugin('plugin-of-nobody')}`));
    expect(accuracy(saved, '--unknown')).toEqual({
      code: 0,
      out: '2\twordpress-plugin:plugin-of-nobody\n1\twordpress-plugin:another-of-nobody\n',
      err: '',
    });
    expect(accuracy(join(folder, 'nowhere'), '--unknown')).toEqual({
      code: 1,
      out: '',
      err: `There is no ${join(folder, 'nowhere')}.\n`,
    });
  });

  it('npm run accuracy reports a folder without pages in one sentence', () => {
    expect(accuracy(join(folder, 'nowhere'))).toEqual({
      code: 1,
      out: '',
      err: `There is no ${join(folder, 'nowhere/index.json')}.\n`,
    });
    expect(accuracy(pages)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^None of the \d+ labelled pages is in /),
    });
  });

  it.each([
    [['--part', 'most'], '--part is one of open, held, all.'],
    [[], 'One folder of saved pages is needed.'],
  ])('npm run accuracy refuses the arguments %o and prints the usage', (args, sentence) => {
    const { code, err } = accuracy(...args, ...(args.length > 0 ? [pages] : []));
    expect(code).toBe(2);
    expect(err).toContain(`${sentence}\nCommand:`);
  });
});
