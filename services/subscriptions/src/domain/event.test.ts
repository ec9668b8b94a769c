import type { Environment, Tenant } from '@shopscope/environment';
import { describe, expect, it } from 'vitest';
import { expiringKeyEvent, scanEvent, thresholdEvent } from './event.ts';

const tenant = (environment: Environment = 'live'): Tenant<Environment> => ({ workspaceId: 'ws_a', environment });
const scan = { jobId: 'job_1', domain: 'shop.example', error: null, endedAtMs: Date.UTC(2026, 0, 15) };
const threshold = { unit: 'lookup_live', percent: 80, periodStartMs: Date.UTC(2026, 0, 1), generation: 0 };
const key = { keyId: 'key_1', daysLeft: 7, expiresAtMs: Date.UTC(2026, 0, 22) };

describe('events', () => {
  it('a fact that arrives again has the id of its event, and other facts have other ids', () => {
    const facts = () => [
      scanEvent(tenant(), scan),
      scanEvent(tenant(), { ...scan, jobId: 'job_2' }),
      thresholdEvent(tenant(), threshold),
      thresholdEvent(tenant(), { ...threshold, percent: 100 }),
      thresholdEvent(tenant(), { ...threshold, unit: 'lookup_cached' }),
      thresholdEvent(tenant(), { ...threshold, periodStartMs: Date.UTC(2026, 1, 1) }),
      thresholdEvent(tenant('test'), threshold),
      thresholdEvent(tenant('test'), { ...threshold, generation: 1 }),
      expiringKeyEvent(tenant(), key),
      expiringKeyEvent(tenant(), { ...key, daysLeft: 1 }),
      expiringKeyEvent(tenant('test'), key),
    ];
    const ids = facts().map(({ id }) => id);
    expect(facts().map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('an event of a scan has its job, its domain and its error, and no profile', () => {
    const error = { code: 'dns_failure', message: 'The domain does not resolve.' };
    expect(scanEvent(tenant(), { ...scan, error })).toMatchObject({
      type: 'scan.failed',
      related: { type: 'job', id: 'job_1', path: '/v1/jobs/job_1' },
    });
    const dataOf = (event: { data: string }) => JSON.parse(event.data);
    const data = { job_id: 'job_1', domain: 'shop.example', finished_at: '2026-01-15T00:00:00.000Z' };
    expect(dataOf(scanEvent(tenant(), { ...scan, error }))).toEqual({ ...data, error });
    expect([scanEvent(tenant(), scan).type, dataOf(scanEvent(tenant(), scan))]).toEqual(['scan.completed', data]);
  });
});
