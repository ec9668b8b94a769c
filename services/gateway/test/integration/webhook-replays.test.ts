import { JobState } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobOf } from './support/backends.ts';
import { fitsContract } from './support/http.ts';
import { startWebhookSystem, type WebhookSystem } from './support/webhooks.ts';

const scopes = ['read:webhooks', 'write:webhooks', 'read:watchlists', 'write:watchlists', 'read:jobs', 'read:stores'];

describe('replays', () => {
  let system: WebhookSystem;
  beforeAll(async () => {
    system = await startWebhookSystem({ scopes });
  });
  afterAll(() => system?.stop());
  beforeEach(() => {
    system.changeWorkspace();
    system.receiver.status = 204;
  });

  const send: WebhookSystem['send'] = (...request) => system.send(...request);
  const received = () => system.receiver.at(system.hookPath());
  const messageOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.error?.message];
  const idsOf = async (path: string): Promise<string[]> =>
    (await send('GET', path)).body.data.map(({ id }: { id: string }) => id);
  /** The minute before and after the creation of the webhook. Tests end sooner. */
  const spanAround = ({ created_at: at }: { created_at: string }) => ({
    from: new Date(Date.parse(at) - 60_000).toISOString(),
    to: new Date(Date.parse(at) + 60_000).toISOString(),
  });
  async function newReplay(members: object = {}) {
    const webhook = await system.newWebhook();
    return (await send('POST', `/v1/webhooks/${webhook.id}/replay`, { ...spanAround(webhook), ...members })).body;
  }

  it('a replay is 202 with its job, delivers the events of the span again with their webhook-id, and its job has no results', async () => {
    const webhook = await system.newWebhook();
    await system.pauseWatchlist();
    await waitUntil('the message', () => received().length === 1);
    const started = await send('POST', `/v1/webhooks/${webhook.id}/replay`, { ...spanAround(webhook), only: 'all' });
    expect(started.status).toBe(202);
    fitsContract(started, 'replayWebhook');
    const { id } = started.body;
    expect(started.body).toMatchObject({ id: expect.stringMatching(/^job_o/), type: 'replay', domain: null });
    await waitUntil('the end', async () => (await send('GET', `/v1/jobs/${id}`)).body.state === 'succeeded');
    const ended = await send('GET', `/v1/jobs/${id}`);
    fitsContract(ended, 'getJob');
    expect(ended.body).toMatchObject({ progress: { total: 1, done: 1, failed: 0 }, expires_at: expect.any(String) });
    await waitUntil('the second message', () => received().length === 2);
    const [first, second] = received();
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body]);
    const results = await send('GET', `/v1/jobs/${id}/results`);
    fitsContract(results, 'getJobResults');
    expect([results.status, results.body]).toEqual([200, { data: [], next_cursor: null }]);
  });

  it('a repeated replay with an Idempotency-Key starts one job', async () => {
    const webhook = await system.newWebhook();
    const path = `/v1/webhooks/${webhook.id}/replay`;
    const once = () => send('POST', path, spanAround(webhook), { idempotencyKey: 'replay-the-webhook' });
    const [first, second] = [await once(), await once()];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await idsOf('/v1/jobs?type=replay')).toEqual([first.body.id]);
  });

  it('a span that is too old, too long or reversed, and an unknown member are 400 and name the member', async () => {
    const webhook = await system.newWebhook();
    const path = `/v1/webhooks/${webhook.id}/replay`;
    const { from, to } = spanAround(webhook);
    const early = new Date(Date.parse(from) - 31 * 86_400_000).toISOString();
    const cases: [object, RegExp][] = [
      [{}, /^from: is required/],
      [{ from }, /^to: is required/],
      [{ from: to, to: from }, /^(from|to): /],
      [{ from: early, to }, /^from: /],
      [{ from, to, only: 'some' }, /^only: must be one of/],
      [{ from, to, event_types: [] }, /^event_types: must have at least 1 entry/],
      [{ from, to, since: from }, /^since: is not a known member/],
    ];
    for (const [body, message] of cases) {
      expect([body, ...messageOf(await send('POST', path, body))]).toEqual([body, 400, expect.stringMatching(message)]);
    }
    expect((await send('POST', path)).status).toBe(400);
    expect(await idsOf('/v1/jobs?type=replay')).toEqual([]);
  });

  it('the jobs of a workspace are its scans, enrichments and replays by creation, also in pages, by type and by ids', async () => {
    const { workspaceId } = system.key;
    const replay = (await newReplay()).id;
    const list = (await send('POST', '/v1/lists', { name: 'Prospects' })).body.id;
    const enrichment = (await send('POST', `/v1/lists/${list}/enrich`, {})).body.id;
    const [scan, oldScan] = ['job_1', 'job_2'].map((id) => `${id}${workspaceId.slice(-8)}`) as [string, string];
    const added = { workspaceId, domain: 'shop.example', state: JobState.SUCCEEDED };
    system.backends.jobs.set(scan, jobOf({ ...added, id: scan, createdAtMs: Date.UTC(2100, 0, 1) }));
    system.backends.jobs.set(oldScan, jobOf({ ...added, id: oldScan, createdAtMs: Date.UTC(2000, 0, 1) }));
    const all = [scan, enrichment, replay, oldScan];
    expect(await idsOf('/v1/jobs')).toEqual(all);
    const walked: string[] = [];
    for (let cursor = ''; walked.length < all.length; ) {
      const page = await send('GET', `/v1/jobs?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      fitsContract(page, 'listJobs');
      walked.push(...page.body.data.map(({ id }: { id: string }) => id));
      cursor = page.body.next_cursor;
    }
    expect(walked).toEqual(all);
    expect(await idsOf('/v1/jobs?type=replay')).toEqual([replay]);
    expect(await idsOf('/v1/jobs?type=enrich')).toEqual([enrichment]);
    expect(await idsOf('/v1/jobs?type=scan')).toEqual([scan, oldScan]);
    const unknown = 'job_o0000000000000000000000000';
    expect(await idsOf(`/v1/jobs?ids=${[replay, unknown, scan, enrichment].join()}`)).toEqual([
      replay,
      scan,
      enrichment,
    ]);
  });

  it('canceling a replay needs write:webhooks and no other scope of jobs, and a replay that has ended is returned as it is', async () => {
    const { id } = await newReplay();
    const { workspaceId } = system.key;
    await waitUntil('the end', async () => (await send('GET', `/v1/jobs/${id}`)).body.state === 'succeeded');
    const path = `/v1/jobs/${id}/cancel`;
    const scans = system.newKey({ scopes: ['read:jobs', 'write:scans', 'read:webhooks'], workspaceId });
    expect((await send('POST', path, undefined, scans)).body.error).toMatchObject({
      code: 'forbidden_scope',
      message: expect.stringContaining('write:webhooks'),
    });
    const writer = system.newKey({ scopes: ['write:webhooks'], workspaceId });
    const canceled = await send('POST', path, undefined, writer);
    fitsContract(canceled, 'cancelJob');
    expect([canceled.status, canceled.body]).toEqual([200, (await send('GET', `/v1/jobs/${id}`)).body]);
  });

  it('a replay of another workspace or environment is 404 for every operation, and in no list', async () => {
    const { id } = await newReplay();
    const foreign = [system.newKey(), system.newKey({ workspaceId: system.key.workspaceId, environment: 'test' })];
    for (const { secret } of foreign) {
      for (const [method, path] of [
        ['GET', `/v1/jobs/${id}`],
        ['GET', `/v1/jobs/${id}/results`],
        ['POST', `/v1/jobs/${id}/cancel`],
      ] as const) {
        const answer = await send(method, path, undefined, { secret });
        expect([path, ...messageOf(answer)]).toEqual([path, 404, 'The workspace has no such job.']);
      }
      for (const query of ['?type=replay', `?ids=${id}`]) {
        expect((await send('GET', `/v1/jobs${query}`, undefined, { secret })).body.data).toEqual([]);
      }
    }
  });
});
