import { z } from 'zod';
import { categories } from './categories.ts';
import { cursor, named, pageLimit, pageOf, slug } from './schemas.ts';

export const technologyKinds = ['platform', 'app', 'service', 'theme'] as const;

export const technology = named(
  'Technology',
  z.object({
    slug: slug().describe('Canonical identifier, the same in store profiles and signals'),
    name: z.string(),
    kind: z.enum(technologyKinds),
    category: slug(),
    vendor: z.string(),
    website: z.url(),
    listing_url: z.url(),
  }),
);

export const technologyPage = pageOf('TechnologyPage', technology);

const categoryList = categories.map(({ slug, technologies }) => `${slug} (${technologies})`).join(', ');
const categoryDescription = `Category slug; an unknown one gives an empty page. The categories, with the number of their technologies: ${categoryList}.`;

export const technologyQuery = z.strictObject({
  kind: z.enum(technologyKinds).optional(),
  category: slug().optional().describe(categoryDescription),
  q: z.string().min(2).max(64).optional().describe('Case-insensitive prefix of name or slug'),
  cursor: cursor(),
  limit: pageLimit(),
});
