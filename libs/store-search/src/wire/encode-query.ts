import * as proto from '@shopscope/proto';
import type { DroppedClause, StoreQuery, TechnologyClause } from '../query.ts';

/** Encodes a normalized query for calls of search. */
export function encodeQuery({ where, sort }: StoreQuery): proto.StoreQuery {
  const { moved } = where;
  return proto.StoreQuery.fromPartial({
    platform: where.platform,
    country: where.country,
    industry: where.industry,
    status: where.status,
    technologies: where.technologies.map(encodeTechnologyClause),
    dropped: where.dropped.map((clause) => ({ ...encodeClause(clause), effective: clause.effective })),
    moved: moved && {
      fromPlatforms: moved.from_platform ?? [],
      toPlatforms: moved.to_platform ?? [],
      effective: moved.effective,
    },
    products: where.products,
    lastCompletedScan: where.last_completed_scan,
    list: where.list,
    sort,
  });
}

const quantifiers = {
  all: proto.Quantifier.ALL,
  any: proto.Quantifier.ANY,
  none: proto.Quantifier.NONE,
} as const;
const selections = {
  slug: proto.SelectedBy.SLUG,
  category: proto.SelectedBy.CATEGORY,
  kind: proto.SelectedBy.KIND,
} as const;

const encodeClause = ({ quantifier, selected }: Pick<DroppedClause, 'quantifier' | 'selected'>) => ({
  quantifier: quantifiers[quantifier],
  selected: { by: selections[selected.by], values: selected.values },
});

const encodeTechnologyClause = (clause: TechnologyClause) => ({
  ...encodeClause(clause),
  installStates: clause.install_state ?? [],
  confidenceMin: clause.confidence_min ?? '',
  firstObserved: clause.first_observed,
  includesFirstScan: clause.includes_first_scan,
});
