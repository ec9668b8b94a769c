import { invalidField } from '@shopscope/errors';
import { storeStates } from '@shopscope/proto';
import { unknownValue } from '@shopscope/text';
import { technologyKinds } from './values.ts';

/** The values that a query may name, those that mean `not known` among them. */

export const unknownCountry = 'ZZ';
export const unknownIndustry = 'unclassified';
/** The platform of a shop on no known platform. */
export const customPlatform = 'custom';
/** A theme that the vocabulary lacks. */
const customTheme = { slug: 'custom-theme', category: 'themes', kind: 'theme' } as const;

export interface VocabularyInput {
  technologies: Iterable<{ slug: string; kind: string; category: string }>;
  countries: Iterable<string>;
  industries: Iterable<string>;
  /** Returns the present slug of a product for an earlier one, and any other text unchanged. */
  presentSlug(slug: string): string;
}

export type ValueKind = 'technology' | 'category' | 'platform' | 'country' | 'industry' | 'status' | 'kind';

export type SearchVocabulary = ReturnType<typeof createVocabulary>;

export function createVocabulary({ technologies, countries, industries, presentSlug }: VocabularyInput) {
  const entries = [...technologies, customTheme];
  const ofStores = new Map(entries.filter(({ kind }) => kind !== 'platform').map((entry) => [entry.slug, entry]));
  const platforms = new Set(entries.filter(({ kind }) => kind === 'platform').map(({ slug }) => slug));
  const byCategory = Map.groupBy(ofStores.values(), ({ category }) => category);
  const known: Record<ValueKind, { has(value: string): boolean; keys(): Iterable<string> }> = {
    technology: ofStores,
    category: byCategory,
    platform: platforms.add(customPlatform),
    country: new Set([...countries, unknownCountry]),
    industry: new Set([...industries, unknownIndustry]),
    status: new Set(storeStates),
    kind: new Set(technologyKinds),
  };

  return {
    presentSlug,
    categoryOf: (slug: string): string | undefined => ofStores.get(slug)?.category,
    kindOf: (slug: string): string | undefined => ofStores.get(slug)?.kind,
    slugsOf: (category: string): string[] => (byCategory.get(category) ?? []).map(({ slug }) => slug).sort(),
    /**
     * Returns the values sorted and without repetitions. An earlier slug of a product becomes the present one. Throws `invalid_request` with
     * path, value and near values for the first value that does not exist. `pathOf` names the value at a place in the request.
     */
    listOf(valueKind: ValueKind, values: readonly string[], pathOf: (at: number) => string): string[] {
      const present = values.map((value, at) => {
        const slug = valueKind === 'technology' || valueKind === 'platform' ? presentSlug(value) : value;
        if (known[valueKind].has(slug)) return slug;
        if (valueKind === 'technology' && platforms.has(slug)) throw isPlatform(pathOf(at), slug);
        throw unknownValue(pathOf(at), value, known[valueKind].keys());
      });
      return [...new Set(present)].sort();
    },
  };
}

const isPlatform = (path: string, slug: string) =>
  invalidField(path, `must be a technology, not the platform ${slug}; where.platform and where.moved take platforms`);
