import { z } from 'zod';
import { maxGroups, maxPlatformPairs, maxProducts, maxSlugs, maxValues, pageSizes } from './bounds.ts';
import { atMostPairs, inOrder, inSteps, onlyWith } from './checks.ts';
import { sentDay } from './days.ts';
import { confidence, country, installState, listId, slug, sorts, status, views } from './values.ts';
import type { Where } from './where.ts';

/** The query of `GET /v1/stores`: the flat form of the language, with lists separated by commas. */

interface FlatList {
  item: z.ZodType<string, string>;
  maxItems: number;
  description: string;
}
const list = (item: FlatList['item'], maxItems: number, description: string): FlatList => ({
  item,
  maxItems,
  description,
});

/** The lists, for the documentation of the parameters too. */
export const flatLists = {
  platform: list(slug(), maxValues, 'Platform of the store; `custom` for a shop on no known platform'),
  platform_none: list(slug(), maxValues, 'Not these platforms'),
  country: list(country(), maxValues, 'Country of the store; `ZZ` when it is not known'),
  country_none: list(country(), maxValues, 'Not these countries'),
  industry: list(slug(), maxValues, 'Industry of the store; `unclassified` when it is not known'),
  industry_none: list(slug(), maxValues, 'Not these industries'),
  status: list(status(), maxValues, 'Status of the store; by default active_storefront'),
  status_none: list(status(), maxValues, 'Not these statuses'),
  technology_any: list(slug(), maxSlugs, 'The store has one of these technologies'),
  technology_all: list(slug(), maxSlugs, 'The store has each of these technologies'),
  technology_none: list(slug(), maxSlugs, 'The store has none of these technologies'),
  category_any: list(slug(), maxGroups, 'The store has a technology of one of these categories'),
  category_none: list(slug(), maxGroups, 'The store has no technology of these categories'),
  install_state: list(installState(), 3, 'State of the technologies that the store has'),
  dropped_any: list(slug(), maxSlugs, 'The store dropped one of these technologies'),
  moved_from_platform: list(slug(), maxValues, 'The store left one of these platforms'),
  moved_to_platform: list(slug(), maxValues, 'The store moved to one of these platforms'),
  list_any: list(listId(), maxValues, 'The store is in one of these lists'),
  list_none: list(listId(), maxValues, 'The store is in none of these lists'),
} as const satisfies Record<string, FlatList>;

const lists = Object.fromEntries(
  Object.entries(flatLists).map(([name, { item, maxItems, description }]) => [
    name,
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(
        z
          .array(item)
          .refine(({ length }) => length <= maxItems, `must be at most ${maxItems} values, separated by commas`),
      )
      .optional()
      .describe(`${description}. One value or several, separated by commas`),
  ]),
) as unknown as { [Name in keyof typeof flatLists]: z.ZodType<string[] | undefined, string | undefined> };

const wholeNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
const integer = (min: number, max: number) =>
  z
    .string()
    .transform(wholeNumber)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/** The whole numbers, for the documentation of the parameters too. */
export const flatIntegers = {
  products_min: { min: 0, max: maxProducts, description: 'Least number of products, a multiple of ten' },
  products_max: { min: 0, max: maxProducts, description: 'Largest number of products, a multiple of ten' },
  limit: { ...pageSizes, description: 'Rows of a page' },
} as const;

const productCount = ({ min, max, description }: { min: number; max: number; description: string }) =>
  integer(min, max).check(inSteps).optional().describe(description);
const day = (description: string) => sentDay(description).optional();

export const flatForm = z
  .strictObject({
    ...lists,
    confidence_min: confidence()
      .optional()
      .describe('The technologies that the store has are detected with at least this confidence'),
    first_observed_from: day('Earliest day on which the technologies were first observed.'),
    first_observed_to: day('Latest day on which the technologies were first observed.'),
    dropped_from: day('First day of the removal.'),
    dropped_to: day('Last day of the removal.'),
    moved_from: day('First day of the change of the platform.'),
    moved_to: day('Last day of the change of the platform.'),
    products_min: productCount(flatIntegers.products_min),
    products_max: productCount(flatIntegers.products_max),
    sort: z.enum(sorts).default('domain').describe('Stores with equal values are ordered by storefront_id'),
    view: z.enum(views).default('full').describe('`compact`: fewer members of each store, at the same price'),
    limit: integer(pageSizes.min, pageSizes.max).default(pageSizes.default).describe(flatIntegers.limit.description),
    cursor: z.string().min(1).max(500).optional().describe('next_cursor of the page before'),
  })
  .check(
    ...['install_state', 'confidence_min', 'first_observed_from', 'first_observed_to'].map((name) =>
      onlyWith(name, ['technology_any', 'technology_all', 'category_any']),
    ),
    onlyWith('dropped_from', ['dropped_any']),
    onlyWith('dropped_to', ['dropped_any']),
    inOrder('first_observed_from', 'first_observed_to'),
    inOrder('dropped_from', 'dropped_to'),
    inOrder('moved_from', 'moved_to'),
    inOrder('products_min', 'products_max', 'no less'),
    atMostPairs(maxPlatformPairs, 'moved_from_platform', 'moved_to_platform'),
  );

export type FlatForm = z.output<typeof flatForm>;

/** Returns the `where` of the POST form, and the names of its lists in the flat form. */
export function whereOfFlat(flat: FlatForm): { where: Where; names: ReadonlyMap<string, string> } {
  const names = new Map<string, string>();
  const from = (path: string, name: keyof typeof flatLists) => {
    names.set(path, name);
    return flat[name];
  };
  const values = (member: 'platform' | 'country' | 'industry' | 'status', none: keyof typeof flatLists) =>
    unlessEmpty({ any: from(`where.${member}.any`, member), none: from(`where.${member}.none`, none) });
  const effective = unlessEmpty({ from: flat.dropped_from, to: flat.dropped_to });
  const where = {
    platform: values('platform', 'platform_none'),
    country: values('country', 'country_none'),
    industry: values('industry', 'industry_none'),
    status: values('status', 'status_none'),
    technologies: technologiesOf(flat, names),
    dropped: flat.dropped_any && [{ any: from('where.dropped[0].any', 'dropped_any'), effective }],
    moved: unlessEmpty({
      from_platform: from('where.moved.from_platform', 'moved_from_platform'),
      to_platform: from('where.moved.to_platform', 'moved_to_platform'),
      effective: unlessEmpty({ from: flat.moved_from, to: flat.moved_to }),
    }),
    products: unlessEmpty({ min: flat.products_min, max: flat.products_max }),
    list: unlessEmpty({ any: flat.list_any, none: flat.list_none }),
  };
  return { where: where as Where, names };
}

function technologiesOf(flat: FlatForm, names: Map<string, string>) {
  const conditions = {
    install_state: flat.install_state,
    confidence_min: flat.confidence_min,
    first_observed: unlessEmpty({ from: flat.first_observed_from, to: flat.first_observed_to }),
  };
  const clauses: object[] = [];
  const add = (name: keyof typeof flatLists, path: string, clauseOf: (values: string[]) => object) => {
    const values = flat[name];
    if (!values) return;
    names.set(`where.technologies[${clauses.length}].${path}`, name);
    clauses.push(clauseOf(values));
  };
  add('technology_any', 'any', (any) => ({ any, ...conditions }));
  add('technology_all', 'all', (all) => ({ all, ...conditions }));
  add('technology_none', 'none', (none) => ({ none }));
  add('category_any', 'any.category', (category) => ({ any: { category }, ...conditions }));
  add('category_none', 'none.category', (category) => ({ none: { category } }));
  return clauses;
}

const unlessEmpty = <Members extends object>(members: Members): Members | undefined =>
  Object.values(members).some((value) => value !== undefined) ? members : undefined;
