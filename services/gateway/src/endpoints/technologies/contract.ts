import { z } from 'zod';
import { cursor, idWith, named, pageLimit, pageOf, slug, smallCount, timestamp } from '../../contract/schemas.ts';
import { categories } from './categories.ts';

export const technologyKinds = ['platform', 'app', 'service', 'theme'] as const;

export const technology = named(
  'Technology',
  z.object({
    slug: slug().describe('Canonical identifier, the same in store profiles and signals'),
    name: z.string().describe('Name, as its vendor writes it'),
    kind: z.enum(technologyKinds).describe('What it is for a store'),
    category: slug().describe('Category slug'),
    vendor: z.string().describe('Who makes it; the name when that is not known'),
    website: z.url().describe('Page of the vendor'),
    listing_url: z.url().describe('Where it is listed: in the store of a platform, else our page about it'),
    stores: smallCount()
      .nullable()
      .describe('Active stores that use it, as of at most 16 minutes ago; null for 1 to 4, and while it is not known'),
  }),
);

const numbersBy = (name: 'platform' | 'country' | 'industry' | 'technology', description: string) =>
  z
    .array(z.object({ [name]: slug(), stores: smallCount() }))
    .max(20)
    .nullable()
    .describe(`${description}: most stores first, at least 5`);

export const technologyDetails = named(
  'TechnologyDetails',
  technology.extend({
    by_platform: numbersBy('platform', 'These stores by platform'),
    by_country: numbersBy('country', 'These stores by country'),
    by_industry: numbersBy('industry', 'These stores by industry'),
    found_beside: numbersBy('technology', 'What these stores use, too'),
    edition: z
      .object({ id: idWith('edn'), built_at: timestamp() })
      .nullable()
      .describe('The edition of all stores that the figures are of'),
  }),
);

export const technologyPage = pageOf('TechnologyPage', technology);

const technologySorts = ['slug', '-stores'] as const;

export const technologyParams = z.object({ slug: slug() });

const categoryList = categories.map(({ slug, technologies }) => `${slug} (${technologies})`).join(', ');
const categoryDescription = `Category slug; an unknown one gives an empty page. The categories, with the number of their technologies: ${categoryList}.`;

export const technologyQuery = z.strictObject({
  kind: z.enum(technologyKinds).optional().describe('Only entries of this kind'),
  category: slug().optional().describe(categoryDescription),
  q: z.string().min(2).max(64).optional().describe('Case-insensitive prefix of name or slug'),
  sort: z
    .enum(technologySorts)
    .default('slug')
    .describe(
      '`-stores`: the most stores first, then those whose `stores` is null; equal numbers by slug. All pages have the numbers of one edition',
    ),
  cursor: cursor(),
  limit: pageLimit(),
});

export const technologyExample = {
  slug: 'klaviyo',
  name: 'Klaviyo',
  kind: 'service',
  category: 'marketing-automation',
  vendor: 'Klaviyo',
  website: 'https://www.klaviyo.com/',
  listing_url: 'https://shopscope.example/technologies/klaviyo',
  stores: 4_210,
};

export const technologyDetailsExample = {
  ...technologyExample,
  by_platform: [{ platform: 'shopify', stores: 3_900 }],
  by_country: [{ country: 'US', stores: 1_800 }],
  by_industry: [{ industry: 'apparel', stores: 1_100 }],
  found_beside: [{ technology: 'judge-me', stores: 720 }],
  edition: { id: 'edn_01kandxv3w9p4nsbq7g8e2hm5t', built_at: '2026-01-15T12:00:00.000Z' },
};
