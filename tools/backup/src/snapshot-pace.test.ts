import { expect, it } from 'vitest';
import { createSnapshotPace } from './snapshot-pace.ts';

const paceOf = (elapsedMs: () => number) => createSnapshotPace({ windowMs: 300_000, expectedBytes: 30e9, elapsedMs });

it('a dump that cannot end in time stops after a tenth of the window, and the error has the figures', () => {
  let elapsedMs = 29_999;
  const pace = paceOf(() => elapsedMs);
  pace.read(1e9);
  elapsedMs = 30_000;
  expect(() => pace.read(0.5e9)).toThrow(
    'the dump cannot end in time: 1,500 MB of 30,000 MB were read in 30 s, so it needs about 600 s, and MongoDB keeps its snapshot for 300 s; set minSnapshotHistoryWindowInSeconds to more than the duration of the dump',
  );
});

it('a dump continues while its rate may still rise enough, and MongoDB decides at the end of the window', () => {
  let elapsedMs = 30_000;
  const pace = paceOf(() => elapsedMs);
  pace.read(2e9);
  elapsedMs = 301_000;
  pace.read(18.5e9);
});

it('a dump of nothing does not stop', () => {
  createSnapshotPace({ windowMs: 300_000, expectedBytes: 0, elapsedMs: () => 400_000 }).read(0);
});
