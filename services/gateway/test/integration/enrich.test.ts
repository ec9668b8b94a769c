import { dayMs } from '@shopscope/clock';
import {
  ClaimOutcome,
  type ClaimScansRequest,
  type GetStoresRequest,
  type ScanRequested,
  scanRequested,
  type UsageRecorded,
  usageRecorded,
} from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorAnswers } from '../../src/contract/errors.ts';
import type { TestKey } from './support/backends.ts';
import { collectEvents, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

let gateway: TestGateway;
let usage: Awaited<ReturnType<typeof collectEvents<UsageRecorded>>>;
let scans: Awaited<ReturnType<typeof collectEvents<ScanRequested>>>;
let key: TestKey;

beforeAll(async () => {
  gateway = await startTestGateway();
  usage = await collectEvents(gateway.namespace, usageRecorded.live);
  scans = await collectEvents(gateway.namespace, scanRequested.live);
});
afterAll(async () => {
  await usage.stop();
  await scans.stop();
  await gateway.stop();
});
beforeEach(() => {
  const { backends } = gateway;
  backends.forgetCalls();
  backends.faults.clear();
  backends.claimOutcomes.clear();
  key = backends.addKey();
  backends.addStore('fresh.example');
  backends.addStore('stale.example', { lastCompletedScanAtMs: Date.now() - 8 * dayMs });
});

const enrich = (body: unknown, headers: Record<string, string> = {}) =>
  call(gateway, '/v1/stores/enrich', { key: key.secret, body, headers });
const usageOf = () =>
  usage.events.filter(({ event }) => event.workspaceId === key.workspaceId).map(({ event }) => event);
const scansOf = () =>
  scans.events.filter(({ event }) => event.workspaceId === key.workspaceId).map(({ event }) => event);

describe('POST /v1/stores/enrich', () => {
  it('enrich answers each input separately and in order: matched, stale, no_match or error', async () => {
    const domains = ['https://www.fresh.example/x', 'stale.example', 'unknown.example', '127.0.0.1', 'localhost', ''];
    const answer = await enrich({ domains });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'enrichStores');
    expect(answer.body.results.map(({ input }: { input: string }) => input)).toEqual(domains);
    expect(answer.body.results.map((r: Record<string, unknown>) => [r.match, r.reason, r.store === null])).toEqual([
      ['matched', null, false],
      ['stale', null, false],
      ['no_match', 'not_in_corpus', true],
      ['error', 'invalid_domain', true],
      ['error', 'invalid_domain', true],
      ['error', 'invalid_domain', true],
    ]);
    expect(
      answer.body.results.every((r: Record<string, unknown>) => r.scan_requested === false && r.scan_job_id === null),
    ).toBe(true);
    expect(answer.body.billed).toEqual({ lookup_cached: 2, lookup_live: 0 });
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
    await expect.poll(() => usageOf().length).toBe(1);
    expect(usageOf()[0]?.units).toMatchObject({ lookupCached: 2, lookupLive: 0 });
  });

  it('enrich returns store bodies as the bytes that profiles stores', async () => {
    const bytes = gateway.backends.addStore('fresh.example');
    const answer = await enrich({ domains: ['fresh.example', 'fresh.example'] });
    expect(answer.text.split(bytes.toString())).toHaveLength(3);
  });

  it('enrich claims nothing without refresh, which is false by default', async () => {
    await enrich({ domains: ['unknown.example'] });
    await enrich({ domains: ['unknown.example'], refresh: false });
    expect(gateway.backends.calls('claimScans')).toHaveLength(0);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
  });

  it('enrich with refresh queues a scan of each unknown or stale domain, and bills one lookup_live for it', async () => {
    const answer = await enrich({
      domains: ['fresh.example', 'stale.example', 'unknown.example', '127.0.0.1'],
      refresh: true,
    });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'enrichStores');
    expect(answer.body.results.map((r: Record<string, unknown>) => r.scan_requested)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(answer.body.results.map((r: Record<string, unknown>) => r.match)).toEqual([
      'matched',
      'stale',
      'no_match',
      'error',
    ]);
    expect(answer.body.billed).toEqual({ lookup_cached: 2, lookup_live: 2 });
    await expect.poll(() => [usageOf().length, scansOf().length]).toEqual([1, 2]);
    expect(usageOf()[0]?.units).toMatchObject({ lookupCached: 2, lookupLive: 2 });
    await gateway.backends.metering.counted(key.workspaceId, { lookupCached: 2, lookupLive: 2 });
    const jobs = answer.body.results.flatMap((r: { scan_job_id: string | null }) => r.scan_job_id ?? []);
    expect(new Set(scansOf().map(({ jobId }) => jobId))).toEqual(new Set(jobs));
    expect(scansOf().every(({ chargeId }) => chargeId === usageOf()[0]?.chargeId)).toBe(true);
  });

  it('enrich bills both look-ups of a repeated domain, with one scan, one lookup_live and one job id', async () => {
    const answer = await enrich({
      domains: ['stale.example', 'https://stale.example/', 'new.example', 'NEW.example'],
      refresh: true,
    });
    expect(answer.body.billed).toEqual({ lookup_cached: 2, lookup_live: 2 });
    const jobs = answer.body.results.map((r: { scan_job_id: string }) => r.scan_job_id);
    expect(jobs[0]).toBe(jobs[1]);
    expect(jobs[2]).toBe(jobs[3]);
    const [claim] = gateway.backends.calls<ClaimScansRequest>('claimScans');
    expect(claim?.domains).toEqual(['new.example', 'stale.example']);
    expect(gateway.backends.calls<GetStoresRequest>('getStores')[0]?.domains).toEqual(['stale.example', 'new.example']);
  });

  it('enrich joins a scan that the workspace already has queued or running, and bills nothing for it', async () => {
    gateway.backends.claimOutcomes.set('busy.example', ClaimOutcome.JOINED);
    const answer = await enrich({ domains: ['busy.example'], refresh: true });
    expect(answer.body.results[0]).toMatchObject({ scan_requested: true, scan_job_id: expect.stringMatching(/^job_/) });
    expect(answer.body.billed).toEqual({ lookup_cached: 0, lookup_live: 0 });
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    expect(scansOf()).toHaveLength(0);
  });

  it('enrich treats every profile as stale under freshness_days 0', async () => {
    key = gateway.backends.addKey({ plan: { freshnessDays: 0 } });
    const answer = await enrich({ domains: ['fresh.example'], refresh: true });
    expect(answer.body.results[0]).toMatchObject({ match: 'stale', scan_requested: true });
  });

  it('enrich rejects refresh without write:scans with 403 forbidden_scope before any side effect', async () => {
    key = gateway.backends.addKey({ scopes: ['read:stores'] });
    const answer = await enrich({ domains: ['unknown.example'], refresh: true });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden_scope']);
    expect(answer.body.error.message).toBe(errorAnswers.forbidden_scope.variants.forbidden_scope_refresh);
    expect(gateway.backends.calls('claimScans')).toHaveLength(0);
    expect((await enrich({ domains: ['unknown.example'] })).status).toBe(200);
  });

  it('enrich answers 402 when the allowance is exhausted: nothing is billed or published, and claims are released', async () => {
    const included = { lookupCached: 100, lookupLive: 1, historyQuery: 0, refreshRequested: 0 };
    key = gateway.backends.addKey({ plan: { included } });
    const answer = await enrich({ domains: ['fresh.example', 'a.example', 'b.example'], refresh: true });
    const resetAt = new Date(gateway.backends.metering.period.endMs).toISOString();
    expect(answer.status).toBe(402);
    expect(answer.body.error).toMatchObject({
      code: 'payment_required',
      unit: 'lookup_live',
      reset_at: resetAt,
      message: `This request needs 2 lookup_live; 1 is left of 1 until ${resetAt}.`,
    });
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    expect((await gateway.backends.metering.balanceOf(key.workspaceId)).taken.lookupCached).toBe(0);
    expect([usageOf().length, scansOf().length]).toEqual([0, 0]);
  });

  it('enrich asks for 2 s about a claim that another request has not decided, then answers 503 unavailable', {
    tags: ['wall-clock'],
  }, async () => {
    gateway.backends.claimOutcomes.set('contested.example', ClaimOutcome.PENDING);
    const answer = await enrich({ domains: ['contested.example', 'mine.example'], refresh: true });
    expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    // The claim stays undecided, so that only the time limit ends the request. Every claim was followed by a release,
    // so none of them blocks other requests.
    const { length: claims } = gateway.backends.calls('claimScans');
    expect(claims).toBeGreaterThan(1);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(claims);
    expect(usageOf()).toHaveLength(0);

    gateway.backends.forgetCalls();
    gateway.backends.faults.set('claimScans', () => {
      if (gateway.backends.calls('claimScans').length < 3) return;
      gateway.backends.claimOutcomes.set('contested.example', ClaimOutcome.JOINED);
    });
    const later = await enrich({ domains: ['contested.example'], refresh: true });
    expect(later.body.results[0]).toMatchObject({ scan_requested: true });
  });

  it('enrich accepts a batch of enrich_batch_max domains, and rejects a larger one with 400', async () => {
    key = gateway.backends.addKey({ plan: { enrichBatchMax: 3 } });
    const domains = ['a.example', 'b.example', 'c.example'];
    expect((await enrich({ domains })).status).toBe(200);
    const answer = await enrich({ domains: [...domains, 'd.example'] });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain('domains');
    key = gateway.backends.addKey();
    expect((await enrich({ domains: Array.from({ length: 100 }, (_, i) => `s${i}.example`) })).status).toBe(200);
    expect((await enrich({ domains: Array.from({ length: 101 }, (_, i) => `s${i}.example`) })).status).toBe(400);
  });

  it('enrich answers a batch of no domains with no results, and bills nothing', async () => {
    const answer = await enrich({ domains: [] });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ billed: { lookup_cached: 0, lookup_live: 0 }, results: [] });
  });

  it('enrich answers inputs of any kind: IDN, URL, port, trailing dot, IP literals, 300 characters', async () => {
    gateway.backends.addStore('xn--bcher-kva.example');
    const domains = [
      'bücher.example',
      'https://BÜCHER.example:8443/x?y#z',
      'fresh.example.',
      'http://[::1]/',
      'x'.repeat(300),
      'javascript:alert(1)',
      '"<script>"\u2028',
    ];
    const answer = await enrich({ domains });
    fitsContract(answer, 'enrichStores');
    expect(answer.body.results.map(({ match }: { match: string }) => match)).toEqual([
      'matched',
      'matched',
      'matched',
      'error',
      'error',
      'error',
      'error',
    ]);
    expect(answer.body.results[0].store.domain).toBe('xn--bcher-kva.example');
    expect(answer.body.results.map(({ input }: { input: string }) => input)).toEqual(domains);
  });

  it('enrich bills the same request again when it has no Idempotency-Key, and its answer is not a replay', async () => {
    const first = await enrich({ domains: ['fresh.example'] });
    const second = await enrich({ domains: ['fresh.example'] });
    expect(second.headers.has('idempotent-replayed')).toBe(false);
    await expect.poll(() => usageOf().length).toBe(2);
    expect(first.headers.get('x-usage-remaining')).toBe('249999');
    expect(second.headers.get('x-usage-remaining')).toBe('249998');
  });
});
