import { AppError } from '@shopscope/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestKey } from './support/backends.ts';
import { forgetIdempotency, startTestGateway, type TestGateway } from './support/gateway.ts';
import { call, fitsContract } from './support/http.ts';

const scopes = ['read:stores', 'read:watchlists'];
const path = '/v1/lists/lst_1/enrich';

describe('POST /v1/lists/{list_id}/enrich', () => {
  let gateway: TestGateway;
  let key: TestKey;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    gateway.backends.forgetCalls();
    gateway.backends.faults.clear();
    key = gateway.backends.addKey({ scopes: [...scopes, 'write:scans'] });
  });
  const enrich = (body: object, { secret = key.secret, headers = {} } = {}) =>
    call(gateway, path, { key: secret, body, headers });
  const started = () => gateway.backends.calls<object>('startListEnrich');

  it('an enrichment of a list is 202 with its job, and is asked for with the key that pays', async () => {
    const answer = await enrich({ refresh: true, max_units: 500 });
    expect(answer.status).toBe(202);
    fitsContract(answer, 'enrichList');
    expect(answer.body).toMatchObject({ type: 'enrich', state: 'queued', domain: null, expires_at: null });
    const { workspaceId, keyId } = key;
    const asked = {
      workspaceId,
      keyId,
      listId: 'lst_1',
      refresh: true,
      maxUnits: 500,
      requestToken: expect.stringMatching(/^chg_/),
    };
    expect(started()).toEqual([asked]);
    await enrich({});
    expect(started()[1]).toEqual({ ...asked, refresh: false, maxUnits: undefined });
  });

  it('an enrichment without an Idempotency-Key starts one job, also when the call of subscriptions is repeated', async () => {
    let calls = 0;
    gateway.backends.faults.set('startListEnrich', () => {
      calls += 1;
      if (calls === 1) throw new AppError('unavailable', 'The connection broke after the job was started.');
    });
    expect((await enrich({})).status).toBe(202);
    await enrich({});
    const tokens = (started() as { requestToken: string }[]).map(({ requestToken }) => requestToken);
    expect(tokens).toEqual([tokens[0], tokens[0], expect.not.stringMatching(tokens[0] as string)]);
  });

  it('a dry run is 200 with the quote, and starts no job', async () => {
    const answer = await enrich({ dry_run: true });
    expect(answer.status).toBe(200);
    fitsContract(answer, 'enrichList');
    const quote = { history_query: 0, lookup_cached: 3, lookup_live: 0, refresh_requested: 0 };
    expect(answer.body).toEqual({ matched: 2, stale: 1, unknown: 3, quote });
    expect(started()).toEqual([]);
  });

  it('a repeated request with an Idempotency-Key starts one job, even when the stored response is lost', async () => {
    const headers = { 'Idempotency-Key': 'enrich-my-list' };
    const [first, second] = [await enrich({}, { headers }), await enrich({}, { headers })];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(started()).toHaveLength(1);
    await forgetIdempotency(gateway.backends.namespace);
    expect((await enrich({}, { headers })).body.id).toBe(first.body.id);
    const [one, other] = started() as { requestToken: string }[];
    expect([one?.requestToken, other?.requestToken]).toEqual([one?.requestToken, one?.requestToken]);
    expect((await enrich({ refresh: true }, { headers })).body.error.code).toBe('conflict');
  });

  it('a quote beyond the allowance is 402 with the unit and the end of the period', async () => {
    const details = { unit: 'lookup_live', reset_at: '2026-02-01T00:00:00.000Z' };
    gateway.backends.faults.set('startListEnrich', () => {
      throw new AppError('payment_required', 'This request needs 3 lookup_live; 0 are left.', { details });
    });
    const refused = await enrich({});
    fitsContract(refused, 'enrichList');
    expect([refused.status, refused.body.error]).toEqual([
      402,
      {
        code: 'payment_required',
        message: expect.stringContaining('lookup_live'),
        ...details,
        request_id: expect.any(String),
      },
    ]);
  });

  it('an enrichment needs read:watchlists and read:stores, and write:scans with refresh, also as a dry run', async () => {
    const answerOf = async (held: string[], body: object) => {
      const { secret } = gateway.backends.addKey({ scopes: held, workspaceId: key.workspaceId });
      const answer = await enrich(body, { secret });
      return answer.body.error?.message ?? answer.status;
    };
    expect(await answerOf(['read:stores', 'write:scans'], {})).toContain('read:watchlists');
    expect(await answerOf(['read:watchlists', 'write:scans'], {})).toContain('read:stores');
    expect(await answerOf(scopes, { refresh: true, dry_run: true })).toContain(
      'refresh: true needs the scope write:scans',
    );
    expect(await answerOf(scopes, {})).toBe(202);
    expect(started()).toHaveLength(1);
  });

  it('wrong bodies are 400 and name the member', async () => {
    for (const [body, message] of [
      [{ max_units: -1 }, /^max_units: /],
      [{ max_units: 1.5 }, /^max_units: /],
      [{ max_units: 1_000_000_001 }, /^max_units: /],
      [{ refresh: 'yes' }, /^refresh: /],
      [{ domains: [] }, /^domains: is not a known member/],
    ] as const) {
      const refused = await enrich(body);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect(started()).toEqual([]);
  });
});
