import type { StoreRow } from '@shopscope/proto';

const closingBrace = Buffer.from('}');

/** Returns the JSON of a row, with the bytes of its store. */
export const rowBody = (row: StoreRow): Buffer => Buffer.concat(rowParts(row, row.body));

/** Returns the JSON of a row in pieces. `store` is the JSON of its store. */
export const rowParts = (row: StoreRow, store: Buffer): Buffer[] => [
  Buffer.from(`${JSON.stringify(rowMembers(row)).slice(0, -1)},"store":`),
  store,
  closingBrace,
];

/** The members of a row beside its store. */
const rowMembers = ({ domain, storefrontId, matched, dropped, changedSinceEdition }: StoreRow) => ({
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
