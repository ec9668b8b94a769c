import { newId } from '@shopscope/ids';
import type { Collection } from 'mongodb';
import { insertInBatches } from './batched-insert.ts';
import { keyIdOf, workspaceIdOf } from './usage-events.ts';

/** A ledger entry as metering stores it (services/metering/src/outbound/mongo/ledger.ts). */
export type PastEntry = ReturnType<typeof pastEntry>;

const months = 12;

/** Returns the first instant of the UTC month that is `monthsLater` months after the month of `ms`. */
export function monthStartMs(ms: number, monthsLater = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

/**
 * Returns entry `n` of `count` entries, the oldest first. The entries are spread evenly over the twelve months before the month of `nowMs`,
 * and belong to the workspaces in turn. The current month has none, so the reconciler finds no difference from the usage counters.
 */
export function pastEntry(n: number, { count, workspaces, nowMs }: PastEntries) {
  const endMs = monthStartMs(nowMs);
  const startMs = monthStartMs(nowMs, -months);
  const atMs = startMs + Math.floor(((endMs - startMs) * n) / count);
  const at = new Date(atMs);
  const workspace = n % workspaces;
  return {
    _id: `${newId('chg', atMs)}/1/1`,
    kind: 'charge' as const,
    units: { lookupCached: 1 },
    workspaceId: workspaceIdOf(workspace),
    keyId: keyIdOf(workspace),
    periodStart: new Date(monthStartMs(atMs)),
    day: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())),
    operation: 'getStore',
    occurredAt: at,
    recordedAt: at,
  };
}

export interface PastEntries {
  count: number;
  workspaces: number;
  nowMs: number;
}

/** Writes the entries directly into the ledger, in unordered inserts. Ten million charges by metering would take hours. */
export async function insertPastEntries(
  ledger: Pick<Collection<PastEntry>, 'insertMany'>,
  entries: PastEntries,
  say: (line: string) => void,
): Promise<void> {
  const documentOf = (n: number) => pastEntry(n, entries);
  await insertInBatches({ collection: ledger, count: entries.count, documentOf, what: 'entries', say });
}
