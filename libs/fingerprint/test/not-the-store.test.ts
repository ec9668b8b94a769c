import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readNegatives } from '../../../lab/accuracy/src/labels.ts';
import { Source } from '../scripts/data/source.ts';
import type { WallRow } from '../scripts/data/tables/walls.ts';
import { decodePage, lookAtPage, type PageInput } from '../src/index.ts';
import { observeLine } from '../src/observe-line.ts';
import { storefronts } from './support/pages.ts';
import { pageOf, scriptsOf, withElement, withTitle } from './support/walls.ts';

/** Lines of `observe` that were written after public bug reports, with what is right. */
const folder = join(import.meta.dirname, 'not-the-store');
const right: Readonly<Record<string, unknown>> = {
  'botwall-age.json': { error: { code: 'maintenance_page' } },
  'botwall-anubis.json': { error: { code: 'challenged' } },
  'botwall-awswaf.json': { error: { code: 'challenged' } },
  'botwall-datadome.json': { error: { code: 'challenged' } },
  'botwall-imperva.json': { error: { code: 'challenged' } },
  'botwall-siteground.json': { error: { code: 'challenged' } },
  'parked-godaddy-lander.json': { platform: { slug: 'custom' }, status: { state: 'parked' } },
};
const read = (file: string): PageInput & { body: string } => {
  const line = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return { ...line, html: line.body };
};

describe('answers of the bug reports', () => {
  it('the answers of the bug reports are all here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(right));
  });

  it.each(Object.entries(right))('the answer of the bug report %s has the right result', (file, result) => {
    const { url, status, headers, body } = read(file);
    const answer = JSON.parse(observeLine(JSON.stringify({ url, status, headers, body }), 1).text);
    expect(answer).toMatchObject({ url, ...(result as object) });
    if ('error' in answer) expect(Object.keys(answer)).toEqual(['url', 'error']);
  });
});

const rows = new Source(join(import.meta.dirname, '../data/walls')).value as WallRow[];
const samples = rows.map(pageOf);
const walls = [...samples, ...Object.keys(right).map(read)];
const scripts = [...new Set(walls.flatMap(scriptsOf))];

/** Pages of the repository that are pages of their sites, and saved pages when this machine has them. */
const constructed: [string, PageInput][] = [
  ...Object.entries(storefronts),
  ...readNegatives(join(import.meta.dirname, '../../../lab/accuracy/truth')).map(
    ({ file, url, html }): [string, PageInput] => [file, { url, status: 200, headers: {}, html }],
  ),
];
const root = fileURLToPath(new URL('../../..', import.meta.url));
const savedFolder = process.env.FINGERPRINT_PAGES ?? resolve(root, '../shared/pages');
const isSaved = existsSync(resolve(savedFolder, 'index.json'));

/**
 * `.ci/nightly` adds each script alone to each constructed page. Otherwise each page gets all scripts at once and a quarter of them alone,
 * and its neighbors get the other quarters. A saved page gets all scripts at once, and one alone in `.ci/nightly`.
 */
const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';
const shares = isNightly ? 1 : 4;
const allScripts = scripts.join('');

describe('page of a store', () => {
  it.each(constructed)('the page of a store stays a page with any script of any wall: %s', (_, page) => {
    const before = lookAtPage(page).seen;
    expect(before).toBeDefined();
    const at = constructed.findIndex(([, each]) => each === page);
    const added = [...scripts.filter((_, n) => (n + at) % shares === 0), allScripts];
    const refused = added.filter((script) => {
      const { seen } = lookAtPage(withElement(page, script));
      return seen?.status.state !== before?.status.state || seen?.platform.slug !== before?.platform.slug;
    });
    expect(refused).toEqual([]);
  });

  it.skipIf(!isSaved)(
    'the page of a store stays a page with any script of any wall: saved pages',
    { timeout: 600_000 },
    () => {
      const { pages } = JSON.parse(readFileSync(resolve(savedFolder, 'index.json'), 'utf8')) as {
        pages: { file: string; url: string | null }[];
      };
      const failed: string[] = [];
      for (const [n, { file, url }] of pages.entries()) {
        const html = decodePage(gunzipSync(readFileSync(resolve(savedFolder, file))), undefined);
        const page = { url: url ?? '', status: 200, headers: {}, html };
        // Another single one of each page.
        const single = scripts[n % scripts.length] as string;
        for (const script of isNightly ? ['', single, allScripts] : [allScripts])
          if (lookAtPage(withElement(page, script)).failure) failed.push(`${file} with ${script.slice(0, 60)}`);
      }
      expect(failed).toEqual([]);
    },
  );

  it('the page of a store is never a wall with the title of the store', () => {
    const failing = walls.filter((wall) => lookAtPage(wall).failure);
    expect(failing.length).toBeGreaterThan(90);
    const observed = failing.filter((wall) => lookAtPage(withTitle(wall, 'Northwind Tea – fine teas')).seen);
    expect(observed).toEqual([]);
  });
});
