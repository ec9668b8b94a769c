import { expect, it } from 'vitest';
import { recoveryTookMs, type Timeline, touchedCount } from '../checker/timeline.ts';
import { type Attempt, noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { eachEndsWith, failsAsInternal, mostSucceed, successesGoOn } from './expectations.ts';
import { scenarios } from './index.ts';

const timeline: Timeline = {
  wallOffsetMs: 0,
  injectedMs: 60_000,
  struckMs: 64_000,
  healedMs: 100_000,
  recoversFromMs: 90_000,
  endedMs: 200_000,
  revokeAskedMs: 59_900,
  revokedMs: 60_000,
  isKeyKnown: true,
  standing: [],
  blurMs: 100,
};
type Seen = Partial<Attempt> & { kind?: OperationKind; idempotencyKey?: string };
function seen({ kind = 'look-up', idempotencyKey, ...attempt }: Seen): Operation {
  const startMs = attempt.startMs ?? 70_000;
  const whole = { gateway: 0, startMs, endMs: startMs + 10, outcome: 'ok', status: 200, code: '' } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const identity = { id: 1, workspaceId: 'ws_1', keyId: 'key_1', mayBill: noUnits };
  return { ...identity, kind, idempotencyKey: idempotencyKey ?? null, attempts: [made] };
}
const failed = (status: number, code: string) => ({ outcome: 'fail', status, code }) as const;
const any = () => true;

it('what fails otherwise than internal is found; a twin may be told to come again, and an answer may be missing', () => {
  const found = (attempt: Seen) => failsAsInternal([seen(attempt)], timeline).length;
  expect(found(failed(500, 'internal'))).toBe(0);
  expect(found({ outcome: 'unknown', status: 0 })).toBe(0);
  expect(found({ ...failed(503, 'unavailable'), idempotencyKey: 'k' })).toBe(0);
  expect(found(failed(503, 'unavailable'))).toBe(1);
  expect(found({ ...failed(502, 'internal'), idempotencyKey: 'k' })).toBe(1);
  expect(found({ outcome: 'refused', status: 0, code: 'ECONNREFUSED' })).toBe(1);
});

it('while one of two is away a pause of the other is found, and one that does nothing', () => {
  const pauses = (...starts: number[]) =>
    successesGoOn('requests', any)(
      starts.map((startMs) => seen({ startMs })),
      timeline,
    ).length;
  expect(pauses(64_100, 74_000, 84_000, 94_000)).toBe(0);
  expect(pauses(64_100, 74_000, 94_000)).toBe(1);
  expect(pauses(76_000, 84_000, 94_000)).toBe(1);
  expect(pauses(64_100, 74_000, 84_000)).toBe(1);
  // Before the part was harmed, and after it was back.
  expect(pauses(61_000, 101_000)).toBe(1);
});

it('a pause is found among as many requests as a long run makes', () => {
  const starts = Array.from({ length: 300_000 }, (_, n) => 64_100 + n / 100);
  const operations = starts.map((startMs) => seen({ startMs }));
  expect(successesGoOn('requests', any)(operations, timeline)).toEqual(['for 32.9 s no requests succeeded']);
});

it('cached keys go on: more failures than successes while keys is away are found', () => {
  const judge = (...operations: Operation[]) => mostSucceed('requests', any)(operations, timeline).length;
  expect(judge(seen({}), seen({}), seen(failed(500, 'internal')))).toBe(0);
  expect(judge(seen({}), seen(failed(500, 'internal')))).toBe(1);
  expect(judge(seen({ startMs: 61_000 }))).toBe(1);
});

it('whoever waited at the door of a gateway under a revoked key is refused: no answer is no refusal', () => {
  const judge = (...operations: Operation[]) => eachEndsWith(401, any)(operations, timeline).length;
  expect(judge(seen(failed(401, 'unauthorized')))).toBe(0);
  expect(judge(seen({}))).toBe(1);
  expect(judge(seen(failed(401, 'unauthorized')), seen({ outcome: 'unknown', status: 0 }))).toBe(1);
  expect(judge()).toBe(1);
});

it('a fault has touched what failed or was slow under it, and nothing else', () => {
  const touched = (attempt: Seen) => touchedCount([seen(attempt)], timeline);
  expect(touched({})).toBe(0);
  expect(touched(failed(500, 'internal'))).toBe(1);
  expect(touched({ endMs: 72_000 })).toBe(1);
  expect(touched({ ...failed(500, 'internal'), startMs: 101_000 })).toBe(0);
  expect(touched({ startMs: 57_000, endMs: 59_000 })).toBe(0);
});

it('recovery counts from the start of the process that replaces a killed one', () => {
  const took = (startMs: number) => recoveryTookMs([seen({ ...failed(500, 'internal'), startMs })], timeline);
  expect(took(94_000)).toBe(4_000);
  expect(took(80_000)).toBe(0);
});

it('every fault says by what its expectation is judged', () => {
  for (const { name, check, exercises } of scenarios) expect([name, check ?? exercises]).not.toEqual([name, undefined]);
});
