import { invalidField } from '@shopscope/errors';
import type { Dependencies } from './dependencies.ts';

/** The largest number of values of a list of a watchlist or a webhook. */
const maxValues = 100;

const filters = {
  technologies: 'technology',
  platforms: 'platform',
  countries: 'country',
  industries: 'industry',
  categories: 'category',
} as const;

/** Values of signals and of their stores. */
export type SignalValues = Record<keyof typeof filters, string[]>;

/** Returns the present values, each once. Throws `invalid_request` with its place for the first value that no signal can have. */
export function resolveValues({ knownValues }: Pick<Dependencies, 'knownValues'>, values: SignalValues): SignalValues {
  const resolved = (list: keyof typeof filters): string[] => {
    if (values[list].length > maxValues) throw invalidField(list, `must have at most ${maxValues} entries`);
    return [...(knownValues.listOf(filters[list], values[list], list) ?? [])];
  };
  return {
    technologies: resolved('technologies'),
    platforms: resolved('platforms'),
    countries: resolved('countries'),
    industries: resolved('industries'),
    categories: resolved('categories'),
  };
}
