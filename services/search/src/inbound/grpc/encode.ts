import type * as proto from '@shopscope/proto';
import type { RawFacet } from '@shopscope/store-search';
import type { Edition } from '../../domain/edition-state.ts';
import type { FoundStore, StorePage } from '../../operations/find-stores.ts';

export const encodeEdition = ({ id, builtAtMs, stores }: Edition): proto.Edition => ({ id, builtAtMs, stores });

export const encodePage = ({ edition, stores, next }: StorePage): proto.FindStoresResponse => ({
  edition: encodeEdition(edition),
  rows: stores.map(encodeRow),
  next: next ? JSON.stringify(next) : '',
});

function encodeRow({ facts, body, row }: FoundStore): proto.StoreRow {
  const { domain, storefrontId, sequence } = facts;
  return {
    domain,
    storefrontId,
    sequence,
    body,
    matched: row.matched.map((each) => ({
      technology: each.technology,
      installState: each.install_state,
      atFirstScan: each.since === 'at_first_scan',
      firstObservedAtMs: Date.parse(each.first_observed_at),
      lastConfirmedAtMs: Date.parse(each.last_confirmed_at),
    })),
    dropped: row.dropped.map((each) => ({
      technology: each.technology,
      signalId: each.signal_id,
      effectiveAtMs: Date.parse(each.effective_at),
      confirmedAtMs: Date.parse(each.confirmed_at),
    })),
    changedSinceEdition: row.changedSinceEdition,
  };
}

export const encodeFacet = ({ field, values, other, unknown }: RawFacet): proto.Facet => ({
  field,
  values,
  other,
  unknown,
});
