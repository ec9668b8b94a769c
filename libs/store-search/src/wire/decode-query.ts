import { invalidField } from '@shopscope/errors';
import * as proto from '@shopscope/proto';
import type { DayRange } from '../language/days.ts';
import { sorts } from '../language/values.ts';
import type { DroppedClause, Selected, StoreFilter, StoreQuery, TechnologyClause, ValueFilter } from '../query.ts';

/** Decodes a normalized query. Its values are those that the caller has checked; its form is checked here. */
export function decodeQuery(query: proto.StoreQuery | undefined): StoreQuery {
  const { status, moved, products } = query ?? {};
  if (!query || !status) throw invalidField('query', 'must have a status');
  const sort = sorts.find((each) => each === query.sort);
  if (!sort) throw invalidField('query.sort', `must be one of ${sorts.join(', ')}`);
  const where: StoreFilter = {
    ...present('platform', valuesOf(query.platform)),
    ...present('country', valuesOf(query.country)),
    ...present('industry', valuesOf(query.industry)),
    status: valuesOf(status) ?? {},
    technologies: query.technologies.map(technologyClauseOf),
    dropped: query.dropped.map(droppedClauseOf),
    ...present('moved', moved && movedOf(moved)),
    ...present('products', products && { ...present('min', products.min), ...present('max', products.max) }),
    ...present('last_completed_scan', daysOf(query.lastCompletedScan)),
    ...present('list', valuesOf(query.list)),
  };
  return { where, sort };
}

const quantifiers = {
  [proto.Quantifier.ALL]: 'all',
  [proto.Quantifier.ANY]: 'any',
  [proto.Quantifier.NONE]: 'none',
} as const;
const selections = {
  [proto.SelectedBy.SLUG]: 'slug',
  [proto.SelectedBy.CATEGORY]: 'category',
  [proto.SelectedBy.KIND]: 'kind',
} as const;

function clauseOf({ quantifier, selected }: Pick<proto.DroppedClause, 'quantifier' | 'selected'>) {
  const name = quantifiers[quantifier as keyof typeof quantifiers];
  const by = selections[selected?.by as keyof typeof selections];
  if (!name || !by || !selected) throw invalidField('query', 'has a clause without a quantifier or a selection');
  return { quantifier: name, selected: { by, values: selected.values } satisfies Selected };
}

function technologyClauseOf(clause: proto.TechnologyClause): TechnologyClause {
  const { installStates, confidenceMin, includesFirstScan } = clause;
  return {
    ...clauseOf(clause),
    ...(installStates.length > 0 && { install_state: installStates }),
    ...(confidenceMin !== '' && { confidence_min: confidenceOf(confidenceMin) }),
    ...present('first_observed', daysOf(clause.firstObserved)),
    includes_first_scan: includesFirstScan,
  };
}

function confidenceOf(text: string) {
  const found = proto.confidences.find((each) => each === text);
  if (!found) throw invalidField('query', `has an unknown confidence: ${text}`);
  return found;
}

const droppedClauseOf = (clause: proto.DroppedClause): DroppedClause => ({
  ...clauseOf(clause),
  ...present('effective', daysOf(clause.effective)),
});

const movedOf = ({ fromPlatforms, toPlatforms, effective }: proto.MovedFilter) => ({
  ...(fromPlatforms.length > 0 && { from_platform: fromPlatforms }),
  ...(toPlatforms.length > 0 && { to_platform: toPlatforms }),
  ...present('effective', daysOf(effective)),
});

function valuesOf(filter: proto.ValueFilter | undefined): ValueFilter | undefined {
  if (!filter) return undefined;
  const { any, none } = filter;
  return { ...(any.length > 0 && { any }), ...(none.length > 0 && { none }) };
}

const daysOf = (range: proto.DayRange | undefined): DayRange | undefined =>
  range && { ...present('from', range.from), ...present('to', range.to) };

/** A member that is present only if it has a value. */
const present = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
