import type { Db } from 'mongodb';

/** The index of the ledger by which the usage of a period is summed. */
export const ledgerIndex = 'workspaceId_1_periodStart_1_recordedAt_1';

const batchSize = 5_000;
const workers = 3;
const workspaces = 1_000;
const keysPerWorkspace = 3;
const entriesPerMonth = 273_000;
const entriesPerDay = 9_750;
const delayMs = 2_500;

const idOf = (prefix: string, n: number) => `${prefix}_01KB9Z${String(n).padStart(20, '0')}`;

function entryOf(n: number) {
  const workspace = n % workspaces;
  const month = Math.floor(n / entriesPerMonth);
  const day = 1 + (Math.floor(n / entriesPerDay) % 28);
  const occurredAt = new Date(Date.UTC(2026, month, day, 0, 0, 0, n % 86_400_000));
  return {
    _id: `${idOf('chg', n)}/1/1`,
    kind: 'charge',
    units: { lookupCached: 1 + (n % 50) },
    workspaceId: idOf('ws', workspace),
    keyId: idOf('key', workspace * keysPerWorkspace + (n % keysPerWorkspace)),
    periodStart: new Date(Date.UTC(2026, month)),
    day: new Date(Date.UTC(2026, month, day)),
    operation: 'enrichStores',
    occurredAt,
    recordedAt: new Date(occurredAt.getTime() + delayMs),
  };
}

/** Adds entries of about a year of 1,000 workspaces, until there are `count`. */
export async function fillLedger(db: Db, count: number): Promise<void> {
  const ledger = db.collection<ReturnType<typeof entryOf>>('ledger');
  let next = await ledger.estimatedDocumentCount();
  const work = async () => {
    while (next < count) {
      const first = next;
      next += batchSize;
      const entries = Array.from({ length: batchSize }, (_, n) => entryOf(first + n));
      await ledger.insertMany(entries, { ordered: false, writeConcern: { w: 1, j: false } });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
