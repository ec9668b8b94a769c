import { ShopscopeError } from './errors.ts';
import type { StoreWhere } from './operations.ts';
import type { ListQuery } from './requests.ts';

/** The flat form of a search, which has one clause of each kind. */
export type FlatStoreQuery = Omit<ListQuery<'listStores'>, 'sort' | 'view' | 'limit' | 'cursor'>;

/**
 * Returns the `where` of a flat query, for operations without a flat form. Throws ShopscopeError when a condition has
 * no clause that it could apply to.
 */
export function whereOf(flat: FlatStoreQuery): StoreWhere {
  const conditions = unlessEmpty({
    install_state: several(flat.install_state),
    confidence_min: flat.confidence_min,
    first_observed: range(flat.first_observed_from, flat.first_observed_to),
  });
  const { technology_any, technology_all, category_any } = flat;
  if (conditions && !technology_any && !technology_all && !category_any)
    throw new ShopscopeError(
      'install_state, confidence_min and first_observed need technology_any, technology_all or category_any',
    );
  const effective = range(flat.dropped_from, flat.dropped_to);
  if (effective && !flat.dropped_any) throw new ShopscopeError('dropped_from and dropped_to need dropped_any');
  const technologies = [
    technology_any && { any: several(technology_any), ...conditions },
    technology_all && { all: several(technology_all), ...conditions },
    flat.technology_none && { none: several(flat.technology_none) },
    category_any && { any: { category: several(category_any) }, ...conditions },
    flat.category_none && { none: { category: several(flat.category_none) } },
  ].filter((clause) => clause !== undefined && clause !== '');
  const where = {
    platform: unlessEmpty({ any: several(flat.platform), none: several(flat.platform_none) }),
    country: unlessEmpty({ any: several(flat.country), none: several(flat.country_none) }),
    industry: unlessEmpty({ any: several(flat.industry), none: several(flat.industry_none) }),
    status: unlessEmpty({ any: several(flat.status), none: several(flat.status_none) }),
    technologies: technologies.length > 0 ? technologies : undefined,
    dropped: flat.dropped_any && [unlessEmpty({ any: several(flat.dropped_any), effective })],
    moved: unlessEmpty({
      from_platform: several(flat.moved_from_platform),
      to_platform: several(flat.moved_to_platform),
      effective: range(flat.moved_from, flat.moved_to),
    }),
    products: unlessEmpty({ min: flat.products_min, max: flat.products_max }),
    list: unlessEmpty({ any: several(flat.list_any), none: several(flat.list_none) }),
  };
  return (unlessEmpty(where) ?? {}) as StoreWhere;
}

const range = (from: string | undefined, to: string | undefined) => unlessEmpty({ from, to });

const several = <Value extends string>(values: Value | readonly Value[] | undefined) =>
  typeof values === 'string' ? (values.split(',') as Value[]) : values;

/** Returns the members that are set; undefined without any. */
function unlessEmpty<Members extends object>(members: Members): Partial<Members> | undefined {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return set.length > 0 ? (Object.fromEntries(set) as Partial<Members>) : undefined;
}
