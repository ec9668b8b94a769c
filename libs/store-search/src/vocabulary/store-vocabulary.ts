import { createVocabulary, type SearchVocabulary } from '../language/vocabulary.ts';
import { countries, earlierSlugs, industries, technologySlugs } from './vocabulary.gen.ts';

const present = new Map(Object.entries(earlierSlugs));

/** The values that a query may name. The services that read queries do not load the whole vocabulary, whose rules need 70 MB. */
export const storeVocabulary: SearchVocabulary = createVocabulary({
  technologies: Object.entries(technologySlugs).flatMap(([kind, categories]) =>
    Object.entries(categories).flatMap(([category, slugs]) =>
      slugs.split(' ').map((slug) => ({ slug, kind, category })),
    ),
  ),
  countries: countries.split(' '),
  industries: industries.split(' '),
  presentSlug: (slug) => present.get(slug) ?? slug,
});
