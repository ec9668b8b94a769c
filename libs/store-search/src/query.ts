import type { DayRange } from './language/days.ts';
import type { Confidence, Sort } from './language/values.ts';

/**
 * A normalized query: defaults are applied, and lists are sorted and have no repetitions. Equal queries are equal values. All members are plain
 * JSON.
 */
export interface StoreQuery {
  where: StoreFilter;
  sort: Sort;
}

export interface StoreFilter {
  platform?: ValueFilter;
  country?: ValueFilter;
  industry?: ValueFilter;
  status: ValueFilter;
  technologies: TechnologyClause[];
  dropped: DroppedClause[];
  moved?: MovedFilter;
  products?: { min?: number; max?: number };
  last_completed_scan?: DayRange;
  list?: ValueFilter;
}

/** A store has one of `any` and none of `none`. At least one of them is present. */
export interface ValueFilter {
  any?: string[];
  none?: string[];
}

/** Technologies by slug, category or kind. Of `all`, always by slug. */
export type Selected = { by: 'slug' | 'category' | 'kind'; values: string[] };
export type Quantifier = 'all' | 'any' | 'none';

interface Clause {
  quantifier: Quantifier;
  selected: Selected;
}

/** All conditions hold for one and the same technology. */
export interface TechnologyClause extends Clause, TechnologyConditions {}

export interface TechnologyConditions {
  install_state?: string[];
  confidence_min?: Confidence;
  first_observed?: DayRange;
  /** Whether `first_observed` also matches technologies that the first scan of the store saw. */
  includes_first_scan: boolean;
}

export interface DroppedClause extends Clause {
  effective?: DayRange;
}

export interface MovedFilter {
  from_platform?: string[];
  to_platform?: string[];
  effective?: DayRange;
}

export const isPositive = ({ quantifier }: Clause): boolean => quantifier !== 'none';

/** Whether the query asks for changes of stores. It then needs read:signals, sees as far back as the plan, and bills a history_query. */
export const asksForChanges = ({ where }: StoreQuery): boolean => where.dropped.length > 0 || where.moved !== undefined;

/** Whether the query judges absence. Only observations of scope `full` prove absence. */
export const judgesAbsence = ({ where }: StoreQuery): boolean => where.technologies.some((each) => !isPositive(each));
