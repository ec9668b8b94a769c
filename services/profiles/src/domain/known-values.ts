import { countries, industrySlugs } from '@shopscope/fingerprint';
import { installStates, signalTypes, storeStates } from '@shopscope/proto';
import { unknownValue } from '@shopscope/text';
import type { TechnologyIndex } from './technology-index.ts';
import { unknownGeography, unknownIndustry, unlistedTechnologies } from './values.ts';

/** The values that filters may name: those that a signal can have, the unknown ones among them. */

export type KnownValues = ReturnType<typeof createKnownValues>;

/** A filter of signals that takes a list. */
export type ListFilter =
  | 'type'
  | 'technology'
  | 'category'
  | 'platform'
  | 'country'
  | 'industry'
  | 'from_value'
  | 'to_value';

export function createKnownValues({
  find,
  slugsOf,
  categories,
}: Pick<TechnologyIndex, 'find' | 'slugsOf' | 'categories'>) {
  const unlisted = (kind?: string) =>
    unlistedTechnologies.filter((each) => kind === undefined || each.kind === kind).map(({ slug }) => slug);
  const platforms = [...slugsOf({ kind: 'platform', category: '' }), ...unlisted('platform')];
  const known: Record<ListFilter, ReadonlySet<string>> = {
    type: new Set(signalTypes),
    technology: new Set([...slugsOf({ kind: '', category: '' }), ...unlisted()]),
    category: new Set([...categories, ...unlistedTechnologies.map(({ category }) => category)]),
    platform: new Set(platforms),
    country: new Set([...countries, unknownGeography.country]),
    industry: new Set([...industrySlugs, unknownIndustry.slug]),
    from_value: new Set([...installStates, ...storeStates, ...platforms]),
    to_value: new Set([...installStates, ...storeStates, ...platforms]),
  };
  const ofProducts: readonly ListFilter[] = ['technology', 'platform', 'from_value', 'to_value'];

  return {
    /**
     * Returns the values of a filter without repetitions, or undefined for an empty list. An earlier slug of a product becomes the present
     * one. Throws `invalid_request` with path, value and near values for the first value that does not exist. `name` is the member of the
     * request that has the values.
     */
    listOf(filter: ListFilter, values: readonly string[], name: string = filter): readonly string[] | undefined {
      if (values.length === 0) return undefined;
      const present = values.map((value, at) => {
        const slug = (ofProducts.includes(filter) && find(value)?.slug) || value;
        if (known[filter].has(slug)) return slug;
        throw unknownValue(`${name}[${at}]`, value, known[filter]);
      });
      return [...new Set(present)];
    },
  };
}
