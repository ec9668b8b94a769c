import type { StoreRow } from '@shopscope/proto';

const closingBrace = Buffer.from('}');

/** Returns the JSON of a row, with the bytes of its store. */
export function rowBody(row: StoreRow): Buffer {
  const members = JSON.stringify(rowMembers(row)).slice(0, -1);
  return Buffer.concat([Buffer.from(`${members},"store":`), row.body, closingBrace]);
}

/** Returns the members of a row beside its store. */
export const rowMembers = ({ domain, storefrontId, matched, dropped, changedSinceEdition }: StoreRow) => ({
  domain,
  storefront_id: storefrontId,
  matched: matched.map((each) => ({
    technology: each.technology,
    install_state: each.installState,
    since: each.atFirstScan ? 'at_first_scan' : 'observed',
    first_observed_at: timeOf(each.firstObservedAtMs),
    last_confirmed_at: timeOf(each.lastConfirmedAtMs),
  })),
  dropped: dropped.map((each) => ({
    technology: each.technology,
    signal_id: each.signalId,
    effective_at: timeOf(each.effectiveAtMs),
    confirmed_at: timeOf(each.confirmedAtMs),
  })),
  changed_since_edition: changedSinceEdition,
});

const timeOf = (atMs: number): string => new Date(atMs).toISOString();
