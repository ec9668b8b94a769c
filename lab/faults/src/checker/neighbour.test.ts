import { expect, it } from 'vitest';
import { noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { areLatenciesMeasured, checkNeighbour, latenciesBeside } from './neighbour.ts';

const windows = [
  { startMs: 0, endMs: 30_000, isActive: false },
  { startMs: 30_000, endMs: 60_000, isActive: true },
  { startMs: 60_000, endMs: 90_000, isActive: false },
];

/** One request every 25 ms. Of each hundred, `slow` take 100 ms and the others 10 ms. */
const load = (slow: (startMs: number) => number, kind: OperationKind = 'look-up'): Operation[] =>
  Array.from({ length: 3_600 }, (_, n) => {
    const startMs = n * 25;
    const endMs = startMs + (n % 100 < slow(startMs) ? 100 : 10);
    const attempt = { gateway: 0, startMs, endMs, wallOffsetMs: 0, outcome: 'ok', status: 200, code: '' } as const;
    const attempts = [{ ...attempt, retryAfterS: null, billed: noUnits, jobs: [], replayed: false }];
    return { id: n, kind, workspaceId: 'ws_1', keyId: 'key_1', idempotencyKey: null, mayBill: noUnits, attempts };
  });
const isActive = (startMs: number) => startMs >= 30_000 && startMs < 60_000;

it('a neighbour that more than doubles the p99 of the other workspaces is reported', () => {
  const beside = load((startMs) => (isActive(startMs) ? 2 : 0));
  expect(checkNeighbour(beside, windows)).toEqual([
    'the p99 of the others was 10 ms without the neighbour and 100 ms beside it',
  ]);
  expect(
    checkNeighbour(
      load(() => 0),
      windows,
    ),
  ).toEqual([]);
});

it('a p99 that is as high without the neighbour is not reported', () => {
  expect(
    checkNeighbour(
      load(() => 2),
      windows,
    ),
  ).toEqual([]);
});

it('the first two seconds after the neighbour has stopped belong to no window', () => {
  const afterwards = load((startMs) => (startMs >= 60_000 && startMs < 62_000 ? 100 : 0));
  expect(latenciesBeside(afterwards, windows).alone.p99Ms).toBe(10);
});

it('a request that also waits for other things than the system is not compared with and without the neighbour', () => {
  const refreshes = load((startMs) => (isActive(startMs) ? 100 : 0), 'refresh');
  expect(latenciesBeside(refreshes, windows).beside.requests).toBe(0);
});

it('too few requests with or without the neighbour measure nothing', () => {
  const few = load((startMs) => (isActive(startMs) ? 100 : 0)).filter(({ id }) => id % 3 === 0);
  expect(areLatenciesMeasured(latenciesBeside(few, windows))).toBe(false);
  expect(checkNeighbour(few, windows)).toEqual([]);
});
