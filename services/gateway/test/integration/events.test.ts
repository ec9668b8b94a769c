import { AppError } from '@shopscope/errors';
import { createGrpcServer } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { ScanJobEnded, ScanJobEndState, SubscriptionsServiceService, scanJobEnded } from '@shopscope/proto';
import { kafkaOptions, silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBackends, type TestKey } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract, type TestAnswer } from './support/http.ts';
import { startTestSubscriptions } from './support/subscriptions.ts';

const scopes = ['read:signals'];

describe('events', () => {
  let backends: Awaited<ReturnType<typeof startBackends>>;
  let subscriptions: Awaited<ReturnType<typeof startTestSubscriptions>>;
  let gateway: TestGateway;
  let key: TestKey;

  beforeAll(async () => {
    backends = await startBackends();
    subscriptions = await startTestSubscriptions(backends.namespace);
    gateway = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: subscriptions.address } });
  });
  afterAll(async () => {
    await gateway?.stop();
    await subscriptions?.stop();
    await backends?.stop();
  });
  beforeEach(() => {
    key = backends.addKey({ scopes });
  });

  const get = (query = '', { secret }: Pick<TestKey, 'secret'> = key, from = gateway): Promise<TestAnswer> =>
    call(from, `/v1/events${query}`, { key: secret });
  const positionOf = ({ body }: TestAnswer) => encodeURIComponent(body.next_cursor as string);
  const idsOf = ({ body }: TestAnswer): string[] =>
    body.data.map(({ data }: { data: { job_id: string } }) => data.job_id);

  /** Publishes the ends of scan jobs, as scan-scheduler does. */
  async function publish(jobIds: readonly string[], { workspaceId }: Pick<TestKey, 'workspaceId'> = key) {
    const kafka = createKafka(kafkaOptions(backends.namespace));
    const producer = createProducer(kafka);
    const ends = jobIds.map((jobId) =>
      ScanJobEnded.fromPartial({
        workspaceId,
        jobId,
        domain: 'shop.example',
        state: jobId.startsWith('job_failed') ? ScanJobEndState.FAILED : ScanJobEndState.SUCCEEDED,
        errorCode: 'dns_failure',
        errorMessage: 'The domain does not resolve.',
        endedAtMs: Date.UTC(2026, 0, 15),
      }),
    );
    await producer.publishMany(scanJobEnded, ends, { requestId: 'req_test', traceparent: '', environment: 'live' });
    await producer.close();
    await kafka.close();
  }
  async function publishAndSee(jobIds: readonly string[], of: TestKey = key) {
    await publish(jobIds, of);
    await waitUntil('the events', async () => (await get('', of)).body.data.length >= jobIds.length);
  }

  it('the events of a workspace have the form of the contract, and follow each other without a gap', async () => {
    await publishAndSee(['job_1', 'job_failed_2']);
    const page = await get();
    expect(page.status).toBe(200);
    fitsContract(page, 'listEvents');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const job = (id: string) => ({ type: 'job', id, url: `https://api.shopscope.test/v1/jobs/${id}` });
    const data = { domain: 'shop.example', finished_at: '2026-01-15T00:00:00.000Z' };
    const error = { code: 'dns_failure', message: 'The domain does not resolve.' };
    expect(page.body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^evt_/),
          sequence: 1,
          type: 'scan.completed',
          created_at: expect.any(String),
          environment: 'live',
          related: job('job_1'),
          data: { job_id: 'job_1', ...data },
        },
        {
          id: expect.stringMatching(/^evt_/),
          sequence: 2,
          type: 'scan.failed',
          created_at: expect.any(String),
          environment: 'live',
          related: job('job_failed_2'),
          data: { job_id: 'job_failed_2', ...data, error },
        },
      ],
      next_cursor: expect.any(String),
      has_more: false,
    });
  });

  it('next_cursor continues the sequence with any filter, and is never null', async () => {
    const none = await get();
    expect(none.body).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    await publishAndSee(['job_1', 'job_failed_2', 'job_3']);
    const first = await get(`?limit=1&after=${positionOf(none)}`);
    expect([idsOf(first), first.body.has_more]).toEqual([['job_1'], true]);
    const filtered = await get(`?types=scan.completed,scan.failed&limit=1&after=${positionOf(first)}`);
    expect(idsOf(filtered)).toEqual(['job_failed_2']);
    const rest = await get(`?types=scan.completed&after=${positionOf(first)}`);
    expect([idsOf(rest), rest.body.has_more]).toEqual([['job_3'], false]);
    const end = await get(`?after=${positionOf(rest)}`);
    expect(end.body).toEqual({ data: [], next_cursor: rest.body.next_cursor, has_more: false });
  });

  it('order=desc is one page with the newest events first, without a cursor', async () => {
    await publishAndSee(['job_1', 'job_2', 'job_3']);
    const page = await get('?order=desc&limit=2');
    fitsContract(page, 'listEvents');
    expect([idsOf(page), page.body.next_cursor, page.body.has_more]).toEqual([['job_3', 'job_2'], null, true]);
    for (const [parameter, value] of [
      ['after', positionOf(await get())],
      ['wait', '1'],
    ]) {
      const refused = await get(`?order=desc&${parameter}=${value}`);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(`^${parameter}: `)]);
    }
  });

  it('an unknown type is 400 with its path, the value and near ones', async () => {
    const { status, body } = await get('?types=scan.failed,signal.confirmd');
    expect([status, body.error.message]).toEqual([
      400,
      'types[1]: must be a value that exists, not "signal.confirmd"; near ones: signal.confirmed',
    ]);
    expect((await get('?types=')).status).toBe(400);
  });

  it('a position of another workspace, a changed one and that of another operation are 400 and name after', async () => {
    const foreign = backends.addKey({ scopes });
    await publishAndSee(['job_1'], foreign);
    const page = await get('', foreign);
    expect((await get('')).body.data).toEqual([]);
    for (const after of [positionOf(page), `${positionOf(await get())}x`, 'MA.AAAA']) {
      const { status, body } = await get(`?after=${after}`);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^after: /)]);
    }
  });

  it('a watchlist that the workspace does not have is 404', async () => {
    const { status, body } = await get('?watchlist_id=wl_01kandxv3w9p4nsbq7g8e2hm5t');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });

  it('a key without read:signals is refused', async () => {
    const other = backends.addKey({ scopes: ['read:stores'] });
    expect((await get('', other)).body.error.code).toBe('forbidden_scope');
  });

  /** Sends a request that waits, and resolves when subscriptions has it. */
  async function startWaiting(from = gateway, signal?: AbortSignal) {
    const before = await subscriptions.waiting();
    const answer = fetch(`${from.url}/v1/events?wait=8`, {
      headers: { Authorization: `Bearer ${key.secret}` },
      ...(signal && { signal }),
    });
    answer.catch(() => {});
    await waitUntil('the request waits', async () => (await subscriptions.waiting()) > before);
    return answer;
  }

  it('a request that waits ends with the first event', async () => {
    const answer = await startWaiting();
    await publish(['job_1']);
    expect((await (await answer).json()).data).toMatchObject([{ sequence: 1, data: { job_id: 'job_1' } }]);
  });

  it('a request whose caller disconnects no longer waits, and its slot is free', async () => {
    const single = backends.addKey({ scopes, plan: { concurrency: 1 } });
    key = single;
    const caller = new AbortController();
    await startWaiting(gateway, caller.signal);
    expect((await get()).body.error.code).toBe('concurrency_limited');
    caller.abort();
    await waitUntil('the call of subscriptions has ended', async () => (await subscriptions.waiting()) === 0);
    await waitUntil('the slot is free', async () => (await get()).status === 200);
  });

  it('a gateway that stops ends the waits of its requests with an empty page, and refuses no request in flight', async () => {
    const env = { SUBSCRIPTIONS_ADDRESS: subscriptions.address };
    const second = await startTestGateway({ backends, env });
    const answer = await startWaiting(second);
    const stopped = second.service.stop();
    const response = await answer;
    expect([response.status, await response.json()]).toEqual([
      200,
      { data: [], next_cursor: expect.any(String), has_more: false },
    ]);
    await stopped;
  });

  it('a request above the number of waiting ones is 503 concurrency_limited, and one without wait is served', async () => {
    const full = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
    const { listEvents } = SubscriptionsServiceService;
    full.addService(
      { listEvents },
      {
        async listEvents({ waitMs }) {
          if (waitMs > 0) throw new AppError('concurrency_limited', 'Too many requests wait for events.');
          return { events: [], position: 0, hasMore: false };
        },
      },
    );
    const second = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: await full.listen() } });
    const { status, headers, body } = await get('?wait=1', key, second);
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 'concurrency_limited']);
    expect((await get('', key, second)).status).toBe(200);
    await second.stop();
    await full.stop(100);
  });
});
