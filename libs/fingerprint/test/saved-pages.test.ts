import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodePage, observeStore } from '../src/index.ts';

/**
 * Real pages with the platform that a person found in them, when the machine has such a collection: FINGERPRINT_PAGES, or
 * `shared/pages` beside the checkout. `index.json` in it: `{pages: [{file, url, platform}]}`, platform null for none.
 */
interface SavedPage {
  file: string;
  url: string | null;
  platform: string | null;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = process.env.FINGERPRINT_PAGES ?? resolve(root, '../shared/pages');

describe.skipIf(!existsSync(resolve(folder, 'index.json')))('saved pages', () => {
  const read = (name: string) => readFileSync(resolve(folder, name));
  const observed = () => {
    const { pages } = JSON.parse(read('index.json').toString()) as { pages: SavedPage[] };
    return pages.map(({ file, url, platform }) => {
      const html = decodePage(gunzipSync(read(file)), undefined);
      const { slug } = observeStore({ url: url ?? '', status: 200, headers: {}, html }).platform;
      return { file, expected: platform ?? 'custom', slug };
    });
  };

  it('at least 95 % of the pages with a known platform get that platform, and pages without a platform get none', {
    timeout: 120_000,
  }, () => {
    const all = observed();
    const known = all.filter(({ expected }) => expected !== 'custom');
    const wrong = all.filter(({ expected, slug }) => expected !== slug);
    expect(wrong.filter(({ expected }) => expected === 'custom')).toEqual([]);
    expect(wrong.length / known.length).toBeLessThanOrEqual(0.05);
  });
});
