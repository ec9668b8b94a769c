import { AppError } from '@shopscope/errors';
import {
  ClaimOutcome,
  type ClaimScansRequest,
  JobState,
  ReserveOutcome,
  type ScanRequested,
  ScanUnit,
  scanRequested,
  type UsageRecorded,
  usageRecorded,
} from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestKey } from './support/backends.ts';
import { collectEvents, forgetIdempotency, startTestGateway, type TestGateway } from './support/gateway.ts';
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
  backends.jobs.clear();
  key = backends.addKey();
});

const ask = (domain: string, headers: Record<string, string> = {}, secret = key.secret) =>
  call(gateway, `/v1/stores/${encodeURIComponent(domain)}/scans`, { key: secret, method: 'POST', headers });
const usageOf = () => usage.events.map(({ event }) => event).filter((event) => event.workspaceId === key.workspaceId);
const scansOf = () => scans.events.map(({ event }) => event).filter((event) => event.workspaceId === key.workspaceId);

describe('POST /v1/stores/{domain}/scans', () => {
  it('a scan request answers 202 with the queued job, and bills one refresh_requested with durable events', async () => {
    const answer = await ask('https://www.shop.example/x');
    expect(answer.status).toBe(202);
    fitsContract(answer, 'requestScan');
    expect(answer.body).toMatchObject({
      type: 'scan',
      state: 'queued',
      domain: 'shop.example',
      attempts: 0,
      error: null,
      billed: { history_query: 0, lookup_cached: 0, lookup_live: 0, refresh_requested: 1 },
    });
    // The header is absent when metering takes longer than 150 ms.
    expect(answer.headers.get('x-usage-remaining') ?? '250000').toBe('250000');
    await expect.poll(() => [usageOf().length, scansOf().length]).toEqual([1, 1]);
    expect(usageOf()[0]).toMatchObject({ operation: 'requestScan', units: { lookupLive: 0, refreshRequested: 1 } });
    const chargeId = usageOf()[0]?.chargeId;
    expect(scansOf()[0]).toMatchObject({ jobId: answer.body.id, chargeId, unit: ScanUnit.REFRESH_REQUESTED });
    expect(gateway.backends.calls<ClaimScansRequest>('claimScans')[0]?.unit).toBe(ScanUnit.REFRESH_REQUESTED);
    await gateway.backends.metering.counted(key.workspaceId, { refreshRequested: 1 });
    expect(gateway.backends.calls('getStores'), 'also of a fresh store').toHaveLength(0);
  });

  it("a scan request joins the workspace's queued or running job free, with the same id", async () => {
    const first = await ask('shop.example');
    const job = gateway.backends.jobs.get(first.body.id);
    gateway.backends.claimOutcomes.set('shop.example', ClaimOutcome.JOINED);
    gateway.backends.faults.set('claimScans', () => ({
      claims: [{ jobId: first.body.id, outcome: ClaimOutcome.JOINED, created: false, claimedAtMs: 0 }],
    }));
    Object.assign(job ?? {}, { state: JobState.RUNNING, startedAtMs: 5, attempts: 1 });
    for (const headers of [{}, { 'Idempotency-Key': 'joins-the-job' }]) {
      const joined = await ask('shop.example', headers);
      expect(joined.status).toBe(202);
      expect(joined.body).toMatchObject({ id: first.body.id, state: 'running', billed: { refresh_requested: 1 } });
    }
    await gateway.backends.metering.counted(key.workspaceId, { refreshRequested: 1 });
    expect(scansOf()).toHaveLength(1);
  });

  it('a scan request asks again when the job that it would join ends meanwhile', async () => {
    const first = await ask('shop.example');
    Object.assign(gateway.backends.jobs.get(first.body.id) ?? {}, { state: JobState.CANCELED });
    gateway.backends.faults.set('claimScans', () => {
      gateway.backends.faults.delete('claimScans');
      return { claims: [{ jobId: first.body.id, outcome: ClaimOutcome.JOINED, created: false, claimedAtMs: 0 }] };
    });
    const again = await ask('shop.example');
    expect([again.status, again.body.state]).toEqual([202, 'queued']);
    expect(again.body.id).not.toBe(first.body.id);
    await gateway.backends.metering.counted(key.workspaceId, { refreshRequested: 2 });
  });

  it('a scan request with an Idempotency-Key replays its response and bills once, for each way to write the domain', async () => {
    const headers = { 'Idempotency-Key': 'scan-my-store' };
    const first = await ask('shop.example', headers);
    const again = await ask('https://SHOP.example/', headers);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await ask('other.example', headers);
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    await gateway.backends.metering.counted(key.workspaceId, { refreshRequested: 1 });
    expect(gateway.backends.calls('claimScans')).toHaveLength(1);
  });

  it('a scan request whose stored response is lost returns the same job under its Idempotency-Key, billed once', async () => {
    const headers = { 'Idempotency-Key': 'response-is-lost' };
    const first = await ask('shop.example', headers);
    await forgetIdempotency(gateway.namespace);
    const again = await ask('shop.example', headers);
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    await gateway.backends.metering.counted(key.workspaceId, { refreshRequested: 1 });
  });

  it('a scan request with a member in its body is refused with its name, before anything is billed', async () => {
    const post = (body: unknown) =>
      call(gateway, '/v1/stores/a-body.example/scans', { key: key.secret, method: 'POST', body });
    const refused = await post({ refresh: true });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^refresh: /)]);
    expect((await post([])).status).toBe(400);
    expect((await post({})).status).toBe(202);
  });

  it('a scan request needs write:scans', async () => {
    const reader = gateway.backends.addKey({ scopes: ['read:stores', 'read:jobs'] });
    expect((await ask('shop.example', {}, reader.secret)).body.error.code).toBe('forbidden_scope');
    expect(gateway.backends.calls('claimScans')).toHaveLength(0);
  });

  it.each(['127.0.0.1', 'localhost', 'co.uk'])('a scan of %s is 400: it has no registrable domain', async (domain) => {
    const answer = await ask(domain);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('domain')]);
    fitsContract(answer, 'requestScan');
    expect(gateway.backends.calls('claimScans')).toHaveLength(0);
  });

  it('a scan request answers 402 for the exhausted unit before any scan is requested, and releases the claim', async () => {
    const poor = gateway.backends.addKey({
      plan: { included: { lookupCached: 9, lookupLive: 9, historyQuery: 9, refreshRequested: 1 } },
    });
    expect((await ask('one.example', {}, poor.secret)).status).toBe(202);
    const answer = await ask('two.example', {}, poor.secret);
    expect([answer.status, answer.body.error.unit]).toEqual([402, 'refresh_requested']);
    fitsContract(answer, 'requestScan');
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    await expect.poll(() => scans.events.filter(({ event }) => event.workspaceId === poor.workspaceId).length).toBe(1);
  });

  it('a scan request releases its claim and bills nothing when its job cannot be read or metering does not decide', async () => {
    gateway.backends.faults.set('getJob', () => {
      throw new AppError('internal', 'down');
    });
    expect((await ask('shop.example')).status).toBe(500);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(1);
    expect(gateway.backends.calls('reserve')).toHaveLength(0);
    gateway.backends.faults.clear();
    gateway.backends.faults.set('reserve', () => ({
      results: [{ outcome: ReserveOutcome.UNSPECIFIED, attempt: 0, periodStartMs: 0, exhaustedUnit: '', lentForMs: 0 }],
    }));
    expect((await ask('shop.example')).status).toBe(500);
    expect(gateway.backends.calls('releaseClaims')).toHaveLength(2);
    expect(scansOf()).toEqual([]);
  });
});
