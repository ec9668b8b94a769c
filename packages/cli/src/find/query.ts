import type { FlatStoreQuery } from '@shopscope/client';
import { UsageError } from '../exit-codes.ts';

/** The options of the flat form, by its names. */
const flatOptions = {
  platform: ['SLUGS', 'on these platforms; commas separate values here and below'],
  platform_none: ['SLUGS', 'not on these platforms'],
  country: ['CCS', 'of these countries (two letters each)'],
  country_none: ['CCS', 'not of these countries'],
  industry: ['SLUGS', 'of these industries'],
  industry_none: ['SLUGS', 'not of these industries'],
  status: ['STATES', 'in these states (default active_storefront)'],
  status_none: ['STATES', 'not in these states'],
  technology_any: ['SLUGS', 'with one of these technologies'],
  technology_all: ['SLUGS', 'with each of these technologies'],
  technology_none: ['SLUGS', 'with none of these technologies'],
  category_any: ['SLUGS', 'with a technology of these categories'],
  category_none: ['SLUGS', 'without a technology of these categories'],
  install_state: ['STATES', 'the technologies are configured, active or inactive'],
  confidence_min: ['LEVEL', 'the technologies are detected with at least this confidence: high, medium or low'],
  first_observed_from: ['TIME', 'the technologies were first observed on or after this day (ISO 8601)'],
  first_observed_to: ['TIME', 'the technologies were first observed on or before this day'],
  dropped_any: ['SLUGS', 'dropped one of these technologies'],
  dropped_from: ['TIME', 'dropped from this day'],
  dropped_to: ['TIME', 'dropped up to this day'],
  moved_from_platform: ['SLUGS', 'left one of these platforms'],
  moved_to_platform: ['SLUGS', 'moved to one of these platforms'],
  moved_from: ['TIME', 'moved from this day'],
  moved_to: ['TIME', 'moved up to this day'],
  products_min: ['N', 'with at least so many products, in steps of 10'],
  products_max: ['N', 'with at most so many products, in steps of 10'],
  list_any: ['IDS', 'in one of these lists; needs the scope read:watchlists too'],
  list_none: ['IDS', 'in none of these lists'],
} as const satisfies Record<keyof FlatStoreQuery, readonly [value: string, help: string]>;

const flagOf = (name: string) => `--${name.replaceAll('_', '-')}`;

export const queryOptions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(flatOptions).map(([name, [value, help]]) => [`${flagOf(name)} <${value}>`, help]),
);

/** Returns the flat query of the options that are given. */
export function queryOf(options: Readonly<Record<string, string | undefined>>): FlatStoreQuery {
  const query: Record<string, string | number> = {};
  for (const [name, [value]] of Object.entries(flatOptions)) {
    const text = options[name.replace(/_./g, ([, letter = '']) => letter.toUpperCase())];
    if (text !== undefined) query[name] = value === 'N' ? wholeNumber(flagOf(name), text) : text;
  }
  return query as FlatStoreQuery;
}

export function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new UsageError(`${flag} must be a whole number.`);
  return number;
}
