import { describe, expect, it } from 'vitest';
import { type Attempt, noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { failsOnlyWith, nothingSucceeds, someSucceed, unaffected } from '../faults/expectations.ts';
import { compareJobs, compareScans } from './jobs.ts';
import {
  checkAdmission,
  checkRecovery,
  checkReplies,
  checkResolved,
  checkRevocation,
  type Timeline,
} from './timeline.ts';

const timeline: Timeline = {
  wallOffsetMs: 0,
  injectedMs: 60_000,
  healedMs: 100_000,
  endedMs: 200_000,
  revokedMs: 60_000,
  frozenGateways: [1],
  blurMs: 100,
};
type Seen = Partial<Attempt> & { kind?: OperationKind; idempotencyKey?: string };
/** One operation with one attempt that took 10 ms unless told otherwise. */
function seen({ kind = 'look-up', idempotencyKey, ...attempt }: Seen): Operation {
  const startMs = attempt.startMs ?? 0;
  const whole = { gateway: 0, startMs, endMs: startMs + 10, outcome: 'ok', status: 200, code: '' } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const identity = { id: 1, workspaceId: 'ws_1', keyId: 'key_1', mayBill: noUnits };
  return { ...identity, kind, idempotencyKey: idempotencyKey ?? null, attempts: [made] };
}
const failed = { outcome: 'fail', status: 500, code: 'internal' } as const;

describe('a promise that was broken is found', () => {
  it('replies: a late one, but not that of a gateway that stood still', () => {
    expect(checkReplies([seen({ endMs: 10_550 })], timeline)).toEqual([]);
    expect(checkReplies([seen({ endMs: 10_700 })], timeline)).toHaveLength(1);
    expect(checkReplies([seen({ endMs: 70_000, gateway: 1 })], timeline)).toEqual([]);
  });

  it('revocation: accepted after a minute, by whomever', () => {
    const accepted = (endMs: number) => checkRevocation([seen({ kind: 'revoked', endMs, gateway: 1 })], timeline);
    expect(accepted(119_000)).toEqual([]);
    expect(accepted(121_000)).toHaveLength(1);
  });

  it('recovery: a failure long after the fault', () => {
    expect(checkRecovery([seen({ ...failed, startMs: 114_000 })], timeline)).toEqual([]);
    expect(checkRecovery([seen({ ...failed, startMs: 116_000 })], timeline)).toHaveLength(1);
    expect(checkRecovery([seen({ outcome: 'refused', status: 0, startMs: 116_000 })], timeline)).toHaveLength(1);
  });

  it('admission: more than the limit in a minute, twice it where Redis was lost', () => {
    const admit = (count: number, startMs: number, isRedisLost: boolean) => {
      const requests = Array.from({ length: count }, () => seen({ kind: 'limited', startMs }));
      return checkAdmission(requests, timeline, { rpm: 5, isRedisLost });
    };
    expect(admit(5, 61_000, false)).toEqual([]);
    expect(admit(6, 61_000, false)).toHaveLength(1);
    expect(admit(10, 61_000, true)).toEqual([]);
    expect(admit(11, 61_000, true)).toHaveLength(1);
    expect(admit(6, 181_000, true)).toHaveLength(1);
  });

  it('retries: never answered', () => {
    const unanswered = { outcome: 'unknown', status: 0 } as const;
    expect(checkResolved([seen(unanswered)])).toEqual([]);
    expect(checkResolved([seen({ ...unanswered, idempotencyKey: 'k' })])).toHaveLength(1);
  });

  it('jobs: missing, of another domain, without end, or fewer than were billed', () => {
    const returned = [seen({ jobs: [{ id: 'job_1', domain: 'a.example' }] })];
    const job = { id: 'job_1', domain: 'a.example', state: 'succeeded' };
    expect(compareJobs(returned, [job])).toEqual([]);
    expect(compareJobs(returned, [])).toHaveLength(1);
    expect(compareJobs(returned, [{ ...job, domain: 'b.example' }])).toHaveLength(1);
    expect(compareJobs(returned, [{ ...job, state: 'running' }])).toHaveLength(1);
    expect(compareScans(1, [job])).toEqual([]);
    expect(compareScans(2, [job])).toHaveLength(1);
  });

  it('what may fail, how, and what may not succeed while a fault lasts', () => {
    const during = seen({ ...failed, startMs: 70_000 });
    expect(unaffected('all', () => true)([during], timeline)).toHaveLength(1);
    expect(unaffected('all', () => true)([seen({ ...failed, startMs: 50_000 })], timeline)).toEqual([]);
    expect(failsOnlyWith('503 unavailable')([during], timeline)).toHaveLength(1);
    expect(failsOnlyWith('500 internal')([during], timeline)).toEqual([]);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 66_000 })], timeline)).toHaveLength(1);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 64_000 })], timeline)).toEqual([]);
    expect(someSucceed(5_000, () => true)([during], timeline)).toHaveLength(1);
  });
});
