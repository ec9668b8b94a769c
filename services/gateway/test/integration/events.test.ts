import { AppError } from '@shopscope/errors';
import { createGrpcServer } from '@shopscope/grpc';
import { createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import { ScanJobEnded, ScanJobEndState, SubscriptionsServiceService, scanJobEnded } from '@shopscope/proto';
import { kafkaOptions, silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBackends, type TestKey } from './support/backends.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract, type TestAnswer } from './support/http.ts';
import { startTestSubscriptions } from './support/subscriptions.ts';

const scopes = ['read:signals'];
const origin = { requestId: 'req_test', traceparent: '', environment: 'live' } as const;

describe('events', () => {
  let backends: Awaited<ReturnType<typeof startBackends>>;
  let subscriptions: Awaited<ReturnType<typeof startTestSubscriptions>>;
  let gateway: TestGateway;
  let key: TestKey;
  let kafka: ReturnType<typeof createKafka>;
  let producer: EventProducer;

  beforeAll(async () => {
    backends = await startBackends();
    subscriptions = await startTestSubscriptions(backends.namespace);
    gateway = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: subscriptions.address } });
    kafka = createKafka(kafkaOptions(backends.namespace));
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await producer?.close();
    await kafka?.close();
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
    await producer.publishMany(scanJobEnded.live, ends, origin, { timeoutMs: 60_000 });
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

  it('order=desc returns one page with the newest events first, without a cursor', async () => {
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

  it('an unknown type is 400 with its path, the value and the known ones', async () => {
    const { status, body } = await get('?types=scan.failed,signal.confirmd');
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/^types\[1\]: must be one of signal\.confirmed, .*, not "signal\.confirmd"$/),
    ]);
    expect((await get('?types=')).status).toBe(400);
  });

  it('a cursor of another workspace, a changed one and that of another operation are 400 with the parameter name after', async () => {
    const foreign = backends.addKey({ scopes });
    await publishAndSee(['job_1'], foreign);
    const page = await get('', foreign);
    expect((await get('')).body.data).toEqual([]);
    for (const after of [positionOf(page), `${positionOf(await get())}x`, 'MA.AAAA']) {
      const { status, body } = await get(`?after=${after}`);
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(/^after: must be the next_cursor of a page of the events of this workspace, not /),
      ]);
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

  it('a request that waits gets the first event as soon as it is there', async () => {
    const answer = get('?wait=8');
    await publish(['job_1']);
    expect((await answer).body.data).toMatchObject([{ sequence: 1, data: { job_id: 'job_1' } }]);
  });
});

/** A stand-in of subscriptions, in which a call that waits ends only when the test releases it or the gateway cancels it. */
async function startStandIn() {
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
  const waits: { waitMs: number; isCancelled: boolean; release(): void }[] = [];
  let isFull = false;
  const { listEvents } = SubscriptionsServiceService;
  server.addService(
    { listEvents },
    {
      async listEvents({ waitMs }, { abort }) {
        if (waitMs > 0) {
          if (isFull) throw new AppError('concurrency_limited', 'Too many requests wait for events.');
          const { promise, resolve } = Promise.withResolvers<void>();
          const wait = { waitMs, isCancelled: false, release: resolve };
          waits.push(wait);
          abort.addEventListener('abort', () => {
            wait.isCancelled = true;
            resolve();
          });
          await promise;
        }
        return { events: [], position: 7, hasMore: false };
      },
    },
  );
  return {
    env: { SUBSCRIPTIONS_ADDRESS: await server.listen() },
    waits,
    fill: () => {
      isFull = true;
    },
    stop: () => server.stop(100),
  };
}

describe('requests that wait for events', () => {
  let standIn: Awaited<ReturnType<typeof startStandIn>>;
  let gateway: TestGateway;
  let secret: string;
  beforeEach(async () => {
    standIn = await startStandIn();
    gateway = await startTestGateway({ env: standIn.env });
    ({ secret } = gateway.backends.addKey({ scopes, plan: { concurrency: 1 } }));
  });
  afterEach(async () => {
    await gateway.stop();
    await standIn.stop();
  });
  const get = (query: string) => call(gateway, `/v1/events${query}`, { key: secret });
  const waiting = () => waitUntil('the request waits', () => standIn.waits[0]);

  it('a waiting request holds a slot of its key, and responds when its wait ends', async () => {
    const answer = get('?wait=5');
    const wait = await waiting();
    expect(wait.waitMs).toBe(5_000);
    expect((await get('')).body.error.code).toBe('concurrency_limited');
    wait.release();
    expect((await answer).body).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    await waitUntil('the slot is free', async () => (await get('')).status === 200);
  });

  it('a caller that disconnects ends its wait and frees its slot', async () => {
    const caller = new AbortController();
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = fetch(`${gateway.url}/v1/events?wait=8`, { headers, signal: caller.signal });
    const wait = await waiting();
    caller.abort();
    await expect(answer).rejects.toThrow();
    await waitUntil('the call of subscriptions is cancelled', () => wait.isCancelled);
    await waitUntil('the slot is free', async () => (await get('')).status === 200);
    expect(standIn.waits).toHaveLength(1);
  });

  it('a gateway that stops ends its waits with a page of what there is', async () => {
    const answer = get('?wait=8');
    const wait = await waiting();
    const stopped = gateway.service.stop();
    const { status, body } = await answer;
    expect([status, body]).toEqual([200, { data: [], next_cursor: expect.any(String), has_more: false }]);
    expect(wait.isCancelled).toBe(true);
    await stopped;
  });

  it('one waiting request too many is 503 concurrency_limited, and one without wait is served', async () => {
    standIn.fill();
    const { status, headers, body } = await get('?wait=1');
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 'concurrency_limited']);
    expect((await get('')).status).toBe(200);
  });
});
