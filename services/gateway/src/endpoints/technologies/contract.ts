import { z } from 'zod';
import { cursor, named, pageLimit, pageOf, slug } from '../../contract/schemas.ts';
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
  }),
);

export const technologyPage = pageOf('TechnologyPage', technology);

export const technologyParams = z.object({ slug: slug() });

const categoryList = categories.map(({ slug, technologies }) => `${slug} (${technologies})`).join(', ');
const categoryDescription = `Category slug; an unknown one gives an empty page. The categories, with the number of their technologies: ${categoryList}.`;

export const technologyQuery = z.strictObject({
  kind: z.enum(technologyKinds).optional().describe('Only entries of this kind'),
  category: slug().optional().describe(categoryDescription),
  q: z.string().min(2).max(64).optional().describe('Case-insensitive prefix of name or slug'),
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
};
