import { expect, it } from 'vitest';
import { recoveryTookMs, type Timeline, touchedCount } from '../checker/timeline.ts';
import { type Attempt, noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { eachEndsWith, failsAsInternal, keepsSucceeding, mostSucceed } from './expectations.ts';
import { scenarios } from './index.ts';

const timeline: Timeline = {
  wallOffsetMs: 0,
  injectionStartMs: 60_000,
  faultStartMs: 64_000,
  healedMs: 100_000,
  recoveryStartMs: 90_000,
  endedMs: 200_000,
  revokeRequestedMs: 59_900,
  revokedMs: 60_000,
  isKeyCached: true,
  suspensions: [],
  maxLoopDelayMs: 100,
};
type Seen = Partial<Attempt> & { kind?: OperationKind; idempotencyKey?: string };
function seen({ kind = 'look-up', idempotencyKey, ...attempt }: Seen): Operation {
  const startMs = attempt.startMs ?? 70_000;
  const whole = {
    gateway: 0,
    startMs,
    endMs: startMs + 10,
    wallOffsetMs: 0,
    outcome: 'ok',
    status: 200,
    code: '',
    retryAfterS: null,
  } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const identity = { id: 1, workspaceId: 'ws_1', keyId: 'key_1', mayBill: noUnits };
  return { ...identity, kind, idempotencyKey: idempotencyKey ?? null, attempts: [made] };
}
const failed = (status: number, code: string) => ({ outcome: 'fail', status, code }) as const;
const any = () => true;

it('every failure is reported except internal, a missing response, and unavailable for a request with an Idempotency-Key', () => {
  const found = (attempt: Seen) => failsAsInternal([seen(attempt)], timeline).length;
  expect(found(failed(500, 'internal'))).toBe(0);
  expect(found({ outcome: 'unknown', status: 0 })).toBe(0);
  expect(found({ ...failed(503, 'unavailable'), idempotencyKey: 'k' })).toBe(0);
  expect(found(failed(503, 'unavailable'))).toBe(1);
  expect(found({ ...failed(502, 'internal'), idempotencyKey: 'k' })).toBe(1);
  expect(found({ outcome: 'refused', status: 0, code: 'ECONNREFUSED' })).toBe(1);
});

it('a pause or total silence of one instance is reported while the other of two instances is unavailable', () => {
  const pauses = (...starts: number[]) =>
    keepsSucceeding('requests', any)(
      starts.map((startMs) => seen({ startMs })),
      timeline,
    ).length;
  expect(pauses(64_100, 74_000, 84_000, 94_000)).toBe(0);
  expect(pauses(64_100, 74_000, 94_000)).toBe(1);
  expect(pauses(76_000, 84_000, 94_000)).toBe(1);
  expect(pauses(64_100, 74_000, 84_000)).toBe(1);
  // One request before the fault, and one after it.
  expect(pauses(61_000, 101_000)).toBe(1);
});

it('a pause without successes is reported in the history of a long run too', () => {
  const starts = Array.from({ length: 300_000 }, (_, n) => 64_100 + n / 100);
  const operations = starts.map((startMs) => seen({ startMs }));
  expect(keepsSucceeding('requests', any)(operations, timeline)).toEqual(['for 32.9 s no requests succeeded']);
});

it('more failures than successes under cached keys are reported while the keys service is unavailable', () => {
  const judge = (...operations: Operation[]) => mostSucceed('requests', any)(operations, timeline).length;
  expect(judge(seen({}), seen({}), seen(failed(500, 'internal')))).toBe(0);
  expect(judge(seen({}), seen(failed(500, 'internal')))).toBe(1);
  expect(judge(seen({ startMs: 61_000 }))).toBe(1);
});

it('requests under a revoked key that were queued at a suspended gateway must get 401, and a missing response is reported', () => {
  const judge = (...operations: Operation[]) => eachEndsWith(401, any)(operations, timeline).length;
  expect(judge(seen(failed(401, 'unauthorized')))).toBe(0);
  expect(judge(seen({}))).toBe(1);
  expect(judge(seen(failed(401, 'unauthorized')), seen({ outcome: 'unknown', status: 0 }))).toBe(1);
  expect(judge()).toBe(1);
});

it('the number of touched requests counts those that failed or were slow during the fault, and no others', () => {
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

it('every scenario has a check or required figures for its expectation', () => {
  for (const { name, check, requiredFigures } of scenarios)
    expect([name, check ?? requiredFigures]).not.toEqual([name, undefined]);
});
