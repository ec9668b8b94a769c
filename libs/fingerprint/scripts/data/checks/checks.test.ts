import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileTables } from '../compile.ts';
import { aliases } from '../tables/aliases.ts';
import { categories } from '../tables/categories.ts';
import { deliveryHosts } from '../tables/delivery-hosts.ts';
import { embeddedShops } from '../tables/embedded-shops.ts';
import { platformCountries } from '../tables/geography.ts';
import { type Review, reviews, type Selection, selection } from '../tables/imported.ts';
import { industries, industryLanguages } from '../tables/industries.ts';
import { type InventoryRow, inventory } from '../tables/inventory.ts';
import { omittedPlatforms, sameProducts } from '../tables/platform-lists.ts';
import { type PlatformEntry, platforms } from '../tables/platforms.ts';
import { type RecordEntry, records } from '../tables/records.ts';
import { type TechnologyEntry, technologies } from '../tables/technologies.ts';
import { type Unfinished, unfinished } from '../tables/unfinished.ts';
import { checkCompleteness } from './completeness.ts';
import type { Check, DataOf } from './finding.ts';
import { checkNames } from './names.ts';
import { checkPlatformsOfSources } from './platforms-of-sources.ts';
import { checkProducts } from './products.ts';
import { checkReferences } from './references.ts';

/** Problems of one file of technologies. */
function problemsOf(text: string, file = 'reviews.yaml'): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'technologies-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'technologies'));
  writeFileSync(join(folder, 'technologies', file), text);
  const { problems } = compileTables(folder, [technologies], []);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

const traces = (lines: string): string => `- slug: a\n  traces:\n${lines}`;

describe('traces', () => {
  it.each([
    ["    script: ['a(?!b)cdef']\n", /^3: traces\.script: is not a regular expression of RE2/],
    ["    script: ['[a-z]+/']\n", /^3: traces\.script: there is no text of three letters that each match contains/],
    ["    inline:\n      - ok_text\n      - '(a'\n", /^5: traces\.inline: is not a regular expression of RE2/],
    ["    header: { server: '(' }\n", /^3: traces\.header\.server: is not a regular expression of RE2/],
    ["    dom: ['[data-abc']\n", /^3: traces\.dom: is not a CSS selector/],
    ["    dom: ['.ok, div > a']\n", /^3: traces\.dom: there is no word of three letters that a page with ".ok"/],
    ["    js: ['a b']\n", /^3: traces\.js: is not a name of a global/],
    ['    script: [{ form: abcd, wight: 50 }]\n', /^3: traces\.script\.wight: Unrecognized key/],
    ['    script: [{ form: abcd, weight: 101 }]\n', /^3: traces\.script\.weight: /],
    ["    scripts: ['abcd']\n", /^3: traces\.scripts: Unrecognized key/],
  ])('a trace that the engine cannot use is refused: %j', (lines, problem) => {
    expect(problemsOf(traces(lines))).toEqual([expect.stringMatching(problem)]);
  });

  it('a trace that the engine can use is not refused', () => {
    expect(
      problemsOf(traces("    script: ['cdn\\.a\\.example/']\n    dom: ['#widget-a']\n    cookie: { a_: '' }\n")),
    ).toEqual([]);
  });
});

it('an entry in the file of another category is refused', () => {
  const text = '- slug: a\n  name: A\n  kind: app\n  category: seo\n  website: https://a.example/\n';
  expect(problemsOf(text)).toEqual(['4: category: belongs into seo.yaml']);
});

interface Rows {
  platforms?: Partial<PlatformEntry>[];
  technologies?: Partial<TechnologyEntry>[];
  inventory?: Partial<InventoryRow>[];
  records?: Partial<RecordEntry>[];
  unfinished?: Partial<Unfinished>;
  platformCountries?: Record<string, string>;
  industryWords?: { words: Record<string, string[]> }[];
  selection?: Partial<Selection>;
  reviews?: Partial<Review>[];
  aliases?: { slug: string; of: string }[];
  sameProducts?: { slugs: string[]; reason: string }[];
  omittedPlatforms?: { name: string; reason: string }[];
}

const none = { samples: [], sources: [] };
const dataWith =
  (rows: Rows): DataOf =>
  (table) =>
    new Map<unknown, unknown>([
      [categories, []],
      [embeddedShops, []],
      [platformCountries, rows.platformCountries ?? {}],
      [industries, { industries: [{ slug: 'apparel' }] }],
      [industryLanguages, { words: rows.industryWords ?? [] }],
      [selection, { kindOfCategory: {}, genericGlobals: [], ...rows.selection }],
      [reviews, rows.reviews ?? []],
      [platforms, rows.platforms ?? []],
      [technologies, rows.technologies ?? []],
      [inventory, rows.inventory ?? []],
      [records, rows.records ?? []],
      [unfinished, { platforms: none, technologies: none, ...rows.unfinished }],
      [aliases, rows.aliases ?? []],
      [sameProducts, rows.sameProducts ?? []],
      [omittedPlatforms, rows.omittedPlatforms ?? []],
      [deliveryHosts, ['cloudfront.net']],
    ]).get(table) as never;

const foundBy =
  (check: Check) =>
  (rows: Rows): string[] =>
    check(dataWith(rows)).map(({ table, path, message }) => `${table.source} ${path.join('.')}: ${message}`);

const named = {
  slug: 'new-app',
  name: 'New',
  kind: 'app',
  category: 'reviews',
  website: 'https://a.example/',
} as const;

describe('names of technologies', () => {
  const foundIn = foundBy(checkNames);

  it('a technology that no other table names needs a name', () => {
    expect(foundIn({ technologies: [{ slug: 'new-app' }] })).toEqual([
      'technologies 0.name: no other table names new-app, so this row needs a name',
    ]);
    expect(foundIn({ technologies: [{ slug: 'new-app' }], inventory: [{ ...named, handles: [] }] })).toEqual([]);
    expect(foundIn({ technologies: [{ slug: 'klaviyo' }] })).toEqual([]);
  });

  it('a new technology has a kind, a category and a website, and one of the imported data has neither kind nor category', () => {
    expect(foundIn({ technologies: [{ slug: 'new-app', name: 'New' }] })).toEqual([
      'technologies 0.kind: new-app is new, so this member is required',
      'technologies 0.category: new-app is new, so this member is required',
      'technologies 0.website: an entry with a name needs this member',
    ]);
    expect(foundIn({ technologies: [{ ...named, slug: 'klaviyo' }] })).toEqual([
      'technologies 0.kind: the imported data has this member',
      'technologies 0.category: the imported data has this member',
    ]);
  });

  it('only one table has the names of a technology', () => {
    expect(foundIn({ technologies: [named], inventory: [{ ...named, handles: [] }] })).toEqual([
      'inventory 0.name: another table or row names new-app',
    ]);
    expect(foundIn({ technologies: [named], records: [{ ...named }] })).toEqual([
      'records.yaml 0.name: another table or row names new-app',
    ]);
  });
});

describe('references to other tables', () => {
  const foundIn = foundBy(checkReferences);

  it('each category and each required or implied technology of a table exists', () => {
    expect(foundIn({ technologies: [{ ...named, category: 'revews' }] })).toEqual([
      'technologies 0.category: there is no category revews',
    ]);
    expect(foundIn({ technologies: [{ ...named, requires: ['shopfy'] }] })).toEqual([
      'technologies 0.requires: there is no technology shopfy',
    ]);
    expect(foundIn({ platforms: [{ slug: 'new-platform', implies: ['php', 'phq'] }] })).toEqual([
      'platforms.yaml 0.implies: there is no technology phq',
    ]);
  });
});

describe('references to the imported data and between tables', () => {
  const foundIn = foundBy(checkReferences);

  it('each technology, category and reviewed pattern that a table names exists in the imported data', () => {
    expect(
      foundIn({ selection: { looseScripts: ['Bootstrap', 'Bootstrep'], kindOfCategory: { Revews: 'app' } } }),
    ).toEqual([
      'imported/selection.yaml looseScripts.1: the imported data has no Bootstrep',
      'imported/selection.yaml kindOfCategory.Revews: the imported data has no Revews',
    ]);
    const review = { technology: 'Yoast SEO', channel: 'dom', pattern: 'script.yoast-schema-graph' } as const;
    expect(foundIn({ reviews: [review, { ...review, pattern: 'script.yoast' }] })).toEqual([
      'imported/reviews.yaml 1.pattern: the imported data has no such pattern',
    ]);
  });

  it('each platform with a country and each industry with words exists', () => {
    expect(foundIn({ platformCountries: { shopify: 'CA', shopfy: 'CA' } })).toEqual([
      'geography/platform-countries.yaml shopfy: there is no technology shopfy',
    ]);
    expect(foundIn({ industryWords: [{ words: { apparel: [], aparel: [] } }] })).toEqual([
      'industry-languages.yaml words.0.words.aparel: there is no industry aparel',
    ]);
  });
});

describe('completeness of entries', () => {
  const missing = foundBy(checkCompleteness);
  const bare = { slug: 'a', traces: {} };

  it('each entry has samples and sources, unless it is from before the rule that demands them', () => {
    expect(missing({ technologies: [bare] })).toEqual([
      expect.stringMatching(/^technologies 0\.samples: missing/),
      expect.stringMatching(/^technologies 0\.sources: missing/),
    ]);
    expect(missing({ platforms: [{ slug: 'a', unsourcedTraces: {} }] })).toEqual([
      expect.stringMatching(/^platforms.yaml 0\.samples: missing/),
    ]);
    expect(missing({ technologies: [bare], unfinished: { technologies: { samples: ['a'], sources: ['a'] } } })).toEqual(
      [],
    );
  });

  it('an entry that lacks nothing is on no list of unfinished entries', () => {
    const complete = { ...bare, sources: ['https://a.example/'], samples: [{ html: '<a>' }] };
    expect(
      missing({ technologies: [complete], unfinished: { technologies: { samples: ['a'], sources: [] } } }),
    ).toEqual(['unfinished.yaml technologies.samples.0: a does not lack samples: delete the line']);
  });

  it('no list of unfinished entries gets longer', () => {
    const slugs = Array.from({ length: 1000 }, (_, index) => `a-${index}`);
    const data = { platforms: none, technologies: { samples: [], sources: slugs } };
    expect(unfinished.check?.(data, { partOf: () => '' })).toEqual([
      { path: ['technologies', 'sources'], message: expect.stringContaining('a new entry is complete') },
    ]);
  });
});

describe('platforms of the imported data', () => {
  const lostOf = (rows: Rows): string[] =>
    checkPlatformsOfSources(dataWith(rows), ['Lamp Shop']).map(
      ({ table, path, message }) => `${table.source} ${path.join('.')}: ${message}`,
    );
  const rule = { slug: 'lamp-shop', unsourcedTraces: { script: [{ form: 'lampshop' }] } };
  const reason = [{ name: 'Lamp Shop', reason: 'it ended' }];

  it('each platform of the imported data has a rule, or a reason why there is none', () => {
    expect(lostOf({})).toEqual([expect.stringContaining('Lamp Shop has no rule')]);
    expect(lostOf({ omittedPlatforms: reason })).toEqual([]);
    expect(lostOf({ platforms: [{ ...rule, samples: [{ html: '<a>' }] }], omittedPlatforms: reason })).toEqual([
      expect.stringContaining('Lamp Shop has a rule'),
    ]);
  });

  it('each platform of the imported data has a constructed page', () => {
    expect(lostOf({ platforms: [rule] })).toEqual([expect.stringContaining('Lamp Shop has no constructed page')]);
    expect(lostOf({ platforms: [{ ...rule, samples: [{ html: '<a>' }] }] })).toEqual([]);
  });
});

describe('slugs of products', () => {
  const foundIn = foundBy(checkProducts);
  const one = { slug: 'lamp', name: 'Lamp', website: 'https://lamp.example/' };
  const pairOf = (other: Partial<PlatformEntry>, rows: Rows = {}) =>
    foundIn({
      ...rows,
      platforms: [{ ...one, unsourcedTraces: { script: [{ form: 'cdn\\.lamp\\.com/' }] } }, other],
    }).filter((text) => text.includes('lamp'));
  const apart = { slug: 'lamp-2', name: 'Candle', website: 'https://candle.example/' };

  it.each([
    ['name', { ...apart, name: 'LAMP' }],
    ['website', { ...apart, website: 'https://www.lamp.example' }],
    ['host', { ...apart, unsourcedTraces: { asset: [{ form: 'static\\.lamp\\.com/' }] } }],
  ])('two platforms with one %s are a problem', (_, other) => {
    expect(pairOf(other)).toEqual([expect.stringContaining('lamp and lamp-2 have one name, website or host')]);
    expect(pairOf(other, { sameProducts: [{ slugs: ['lamp', 'lamp-2'], reason: 'two' }] })).toEqual([]);
  });

  it('two platforms that share only a network of many sites are no problem', () => {
    expect(pairOf(apart)).toEqual([]);
    const shared = { unsourcedTraces: { script: [{ form: 'd1a\\.cloudfront\\.net/' }] } };
    expect(
      foundIn({
        platforms: [
          { ...one, ...shared },
          { ...apart, ...shared },
        ],
      }).filter((text) => text.includes('lamp')),
    ).toEqual([]);
  });

  it('an alias is not a technology, and its replacement is a technology', () => {
    const wrong = foundIn({ platforms: [one], aliases: [{ slug: 'lamp', of: 'lampe' }] });
    expect(wrong).toContain('aliases.yaml 0.slug: lamp is a technology');
    expect(wrong).toContain('aliases.yaml 0.of: there is no technology lampe');
  });
});
