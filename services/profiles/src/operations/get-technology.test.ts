import { describe, expect, it } from 'vitest';
import type { CorpusCount } from '../domain/corpus-count.ts';
import { createTechnologyIndex } from '../domain/technology-index.ts';
import { getTechnology } from './get-technology.ts';
import { listTechnologies } from './list-technologies.ts';

const entry = (slug: string, name: string) => ({ slug, name, kind: 'app', category: 'any' }) as const;
const technologies = createTechnologyIndex(
  [entry('klaviyo', 'Klaviyo'), entry('shopify', 'Shopify'), entry('yotpo', 'Yotpo')].map((each) => ({
    ...each,
    vendor: each.name,
    website: 'https://vendor.example',
    listingUrl: null,
  })),
  'https://site.example',
);
const countedAt = new Date('2026-01-15T12:00:00Z');
const count: CorpusCount = {
  countedAt,
  stores: 3,
  profiles: 4,
  usage: new Map([
    [
      'klaviyo',
      {
        stores: 3,
        platforms: [
          { slug: 'shopify', stores: 2 },
          { slug: 'a-dropped-platform', stores: 1 },
        ],
        storesOnOtherPlatforms: 0,
      },
    ],
  ]),
  pages: [],
};
const all = { kind: '', category: '', q: '', afterSlug: '', limit: 200, order: undefined };

describe('GetTechnology', () => {
  it('a technology has no usage before the first count, and a usage of zero stores after a count without stores', () => {
    const uncounted = { technologies, corpusCount: () => undefined };
    expect(getTechnology(uncounted, 'yotpo')).toMatchObject({ technology: { name: 'Yotpo' }, usage: undefined });
    expect(listTechnologies(uncounted, all)).toMatchObject({ stores: [], countedAt: undefined });

    const counted = { technologies, corpusCount: () => count };
    expect(getTechnology(counted, 'yotpo').usage).toEqual({
      stores: 0,
      platforms: [],
      storesOnOtherPlatforms: 0,
      countedAt,
    });
    expect(listTechnologies(counted, all)).toMatchObject({ stores: [3, 0, 0], countedAt });
  });

  it('the usage of a technology names platforms as the vocabulary does, and by slug when the vocabulary has dropped one', () => {
    expect(getTechnology({ technologies, corpusCount: () => count }, 'klaviyo').usage?.platforms).toEqual([
      { slug: 'shopify', name: 'Shopify', stores: 2 },
      { slug: 'a-dropped-platform', name: 'a-dropped-platform', stores: 1 },
    ]);
  });

  it('a technology that the vocabulary does not have is not found', () => {
    const deps = { technologies, corpusCount: () => count };
    expect(() => getTechnology(deps, 'unheard-of')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => getTechnology(deps, '')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});
