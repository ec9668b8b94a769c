import { countries, industrySlugs, presentSlug, vocabulary } from '@shopscope/fingerprint';
import { createVocabulary, type SearchVocabulary } from '@shopscope/store-search';

/** The values that queries may name, as the service search knows them. */
export const searchVocabulary: SearchVocabulary = createVocabulary({
  technologies: vocabulary,
  countries,
  industries: industrySlugs,
  presentSlug,
});
