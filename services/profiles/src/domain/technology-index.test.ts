import { type VocabularyEntry, vocabulary } from '@shopscope/fingerprint';
import { describe, expect, it } from 'vitest';
import { createTechnologyIndex, type TechnologyIndex, type TechnologyQuery } from './technology-index.ts';

const kinds = ['platform', 'app', 'service', 'theme'] as const;

/** 500 entries with shared prefixes, mixed case and names that differ from their slugs. */
const many: VocabularyEntry[] = Array.from({ length: 500 }, (_, i) => ({
  slug: `${['app', 'apple', 'b-side', 'zed'][i % 4]}-${i}`,
  name: `${['Widget', 'app', 'Ärger', 'apple'][(i * 7) % 4]} ${i}`,
  kind: kinds[(i >> 2) % 4] as (typeof kinds)[number],
  category: ['reviews', 'email', 'themes'][i % 3] as string,
  vendor: '',
  website: '',
  listingUrl: null,
}));

const site = 'https://site.example';
const query = (over: Partial<TechnologyQuery> = {}): TechnologyQuery => ({
  kind: '',
  category: '',
  q: '',
  afterSlug: '',
  limit: 50,
  order: undefined,
  ...over,
});

function pageThrough(index: TechnologyIndex, over: Partial<TechnologyQuery>) {
  const all: string[] = [];
  for (let afterSlug = ''; ; ) {
    const page = index.page(query({ ...over, afterSlug }));
    all.push(...page.technologies.map(({ slug }) => slug));
    if (!page.hasMore || all.length > vocabulary.length) return all;
    expect(page.technologies).toHaveLength(over.limit ?? 50);
    afterSlug = all.at(-1) as string;
  }
}

/** Reference implementation of a filter. */
function expected({ kind, category, q }: Partial<TechnologyQuery>) {
  const prefix = q?.toLowerCase() ?? '';
  return many
    .filter((entry) => !kind || entry.kind === kind)
    .filter((entry) => !category || entry.category === category)
    .filter(({ slug, name }) => slug.startsWith(prefix) || name.toLowerCase().startsWith(prefix))
    .map(({ slug }) => slug)
    .sort();
}

describe('the technology index', () => {
  const index = createTechnologyIndex(many.toReversed(), site);

  it.each([
    {},
    { limit: 1 },
    { limit: 7 },
    { kind: 'app' },
    { category: 'email', limit: 13 },
    { kind: 'theme', category: 'themes', limit: 3 },
    { q: 'APP', limit: 9 },
    { q: 'app', kind: 'service', limit: 4 },
    { q: 'apple', category: 'reviews', limit: 2 },
    { q: 'ärger', limit: 200 },
    { q: 'zed-499' },
  ])('the technology index returns every match of %o once and in order, page by page', (filter) => {
    const found = pageThrough(index, filter);
    expect(found).toEqual(expected(filter));
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([{}, { kind: 'app' }, { q: 'app', limit: 9 }])(
    'the technology index returns every match of %o once in an order of the caller: the first ones, all others by slug, the last ones by slug',
    (filter) => {
      const firstSlugs = ['zed-3', 'app-400', 'no-such-slug', 'apple-5', 'app-16'];
      const lastSlugs = ['b-side-498', 'apple-1', 'app-0'];
      const matches = expected(filter);
      const isIn = (slugs: readonly string[]) => (slug: string) => slugs.includes(slug);
      const named = isIn([...firstSlugs, ...lastSlugs]);
      expect(pageThrough(index, { ...filter, order: { firstSlugs, lastSlugs } })).toEqual([
        ...firstSlugs.filter(isIn(matches)),
        ...matches.filter((slug) => !named(slug)),
        ...lastSlugs.filter(isIn(matches)).sort(),
      ]);
    },
  );

  it('the technology index continues in an order of the caller after a slug that no longer exists', () => {
    const order = { firstSlugs: ['zed-499', 'gone-2', 'zed-495'], lastSlugs: [] };
    const firstAfter = (afterSlug: string) => index.page(query({ afterSlug, limit: 1, order })).technologies[0]?.slug;
    expect([firstAfter('gone-2'), firstAfter('app-3999')]).toEqual(['zed-495', 'app-4']);
  });

  it('the technology index refuses an order of more slugs than the vocabulary can have', () => {
    const firstSlugs = Array.from({ length: 20_001 }, (_, n) => `slug-${n}`);
    expect(() => index.page(query({ order: { firstSlugs, lastSlugs: [] } }))).toThrow('order: must have at most 20000');
  });

  it('the technology index reports no further page when the last page is exactly full', () => {
    expect(index.page(query({ q: 'zed-499', limit: 1 }))).toMatchObject({ hasMore: false });
    expect(pageThrough(index, { limit: 100 })).toHaveLength(500);
  });

  it('the technology index finds nothing for values that no entry has', () => {
    for (const over of [{ kind: 'car' }, { category: 'none' }, { q: 'qqq' }, { afterSlug: '~' }]) {
      expect(index.page(query(over))).toEqual({ technologies: [], hasMore: false });
    }
  });

  it('the technology index continues after a slug that no longer exists', () => {
    expect(index.page(query({ afterSlug: 'zed-4989', limit: 2 })).technologies[0]?.slug).toBe('zed-499');
  });

  it('the technology index uses the name as default vendor, and the Shopscope page as default listing and website', () => {
    expect(index.find('app-0')).toMatchObject({
      vendor: 'Widget 0',
      website: `${site}/technologies/app-0`,
      listingUrl: `${site}/technologies/app-0`,
    });
  });
});

describe('shipped vocabulary', () => {
  const index = createTechnologyIndex(vocabulary, site);

  it('the shipped vocabulary is returned completely page by page, with unique slugs and no empty member', () => {
    const slugs = pageThrough(index, { limit: 200 });
    expect(new Set(slugs).size).toBe(vocabulary.length);
    for (const slug of slugs) {
      const { vendor, website, listingUrl, ...rest } = index.find(slug) as NonNullable<ReturnType<typeof index.find>>;
      expect(
        Object.values(rest).every((text) => text !== ''),
        slug,
      ).toBe(true);
      expect([vendor !== '', URL.canParse(website), URL.canParse(listingUrl)], slug).toEqual([true, true, true]);
    }
  });

  it('the shipped vocabulary finds a product by an earlier slug, with its current one', () => {
    expect(index.find('bizweb')?.slug).toBe('sapo');
    expect(index.find('sapo')?.slug).toBe('sapo');
  });
});
