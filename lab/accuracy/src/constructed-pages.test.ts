import { join } from 'node:path';
import { observeStore } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import { readNegatives } from './labels.ts';

const pages = new Map(
  readNegatives(join(import.meta.dirname, '../truth')).map(({ file, url, html }) => [
    file.replace(/^\d+-|\.html$/g, ''),
    { url, status: 200, headers: {}, html },
  ]),
);

describe('constructed pages', () => {
  it.each([
    'clinic-with-prepared-messages',
    'estate-agent-with-buy-menu',
    'review-blog-with-offer-of-seller',
    'headphone-page-with-model-numbers',
  ])('a constructed page that sells nothing is not a storefront: %s', (name) => {
    const page = pages.get(name);
    expect(page).toBeDefined();
    if (page) expect(observeStore(page).status.state).toBe('not_a_storefront');
  });

  it('a constructed page has no country by the numbers of models', () => {
    const page = pages.get('headphone-page-with-model-numbers');
    expect(page && observeStore(page).geography.country).toBe('ZZ');
  });
});
