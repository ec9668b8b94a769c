import { expect, it } from 'vitest';
import { insertPastEntries, type PastEntry, pastEntry } from './past-entries.ts';

const nowMs = Date.UTC(2026, 1, 10, 12);

it('past ledger entries lie in the twelve months before the running one, oldest first, each in its month and day', () => {
  const entries = Array.from({ length: 1_000 }, (_, n) => pastEntry(n, { count: 1_000, workspaces: 3, nowMs }));
  const [first, last] = [entries[0], entries.at(-1)] as [PastEntry, PastEntry];
  expect(first.recordedAt.toISOString()).toBe('2025-02-01T00:00:00.000Z');
  expect(last.periodStart.toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(new Set(entries.map(({ periodStart }) => periodStart.getTime())).size).toBe(12);
  for (const { recordedAt, periodStart, day } of entries) {
    expect(periodStart.toISOString()).toBe(`${recordedAt.toISOString().slice(0, 7)}-01T00:00:00.000Z`);
    expect(day.toISOString()).toBe(`${recordedAt.toISOString().slice(0, 10)}T00:00:00.000Z`);
  }
  expect(entries.map(({ _id }) => _id)).toEqual(entries.map(({ _id }) => _id).sort());
  expect(new Set(entries.map(({ workspaceId, keyId }) => `${workspaceId} ${keyId}`)).size).toBe(3);
});

it('every past entry is inserted once, in bounded inserts', async () => {
  const ids = new Set<string>();
  const sizes: number[] = [];
  const ledger = {
    async insertMany(documents: readonly PastEntry[]) {
      sizes.push(documents.length);
      for (const { _id } of documents) ids.add(_id);
      return { acknowledged: true, insertedCount: documents.length, insertedIds: {} };
    },
  };
  await insertPastEntries(ledger as never, { count: 25_000, workspaces: 2, nowMs }, () => {});
  expect(ids.size).toBe(25_000);
  expect(sizes.toSorted((a, b) => b - a)).toEqual([10_000, 10_000, 5_000]);
});
