import { describe, expect, it } from 'vitest';
import { createApi } from '../../../../packages/n8n-nodes-shopscope/nodes/shared/api.ts';
import type { Send } from './context.ts';

type Answer = Awaited<ReturnType<Send>> | Error;

const answer = (statusCode: number, body: object | string, headers: Record<string, string> = {}): Answer => ({
  statusCode,
  body: body as never,
  headers: { 'x-request-id': 'req_1', ...headers },
});
const failed = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer(status, { error: { code, message: `about ${code}`, request_id: 'req_1' } }, headers);

/** An API whose requests get these answers in turn. The last one repeats. */
function apiWith(answers: Answer[]) {
  const sent: Parameters<Send>[0][] = [];
  const pausesMs: number[] = [];
  const api = createApi({
    baseUrl: 'https://api.shopscope.example/',
    async send(options) {
      const next = answers[Math.min(sent.length, answers.length - 1)] as Answer;
      sent.push(options);
      if (next instanceof Error) throw next;
      return next;
    },
    sleep: async (pauseMs) => void pausesMs.push(pauseMs),
    random: () => 0.5,
  });
  return { api, sent, pausesMs };
}

describe('the API of the node', () => {
  it('a request that is refused for a while waits as long as Retry-After says and is sent again with the same key', async () => {
    const { api, sent, pausesMs } = apiWith([
      failed(429, 'rate_limited', { 'retry-after': '7' }),
      failed(503, 'unavailable', { 'retry-after': '2' }),
      answer(200, { done: true }),
    ]);
    const request = { method: 'POST', path: '/v1/lists', body: { name: 'A' }, idempotencyKey: 'key-12345' } as const;
    await expect(api(request)).resolves.toEqual({ done: true });
    expect(pausesMs).toEqual([7_250, 2_250]);
    expect(sent).toHaveLength(3);
    expect(sent[2]).toMatchObject({
      baseURL: 'https://api.shopscope.example',
      url: '/v1/lists',
      body: { name: 'A' },
      headers: { 'Idempotency-Key': 'key-12345' },
    });
  });

  it('a failure has the code, the message, the status and the request id of the API', async () => {
    const { api, pausesMs } = apiWith([failed(404, 'not_found')]);
    await expect(api({ path: '/v1/stores/a.example' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'about not_found',
      status: 404,
      requestId: 'req_1',
    });
    expect(pausesMs).toEqual([]);
  });

  it.each([
    [
      'a Retry-After of more than a minute',
      [failed(429, 'rate_limited', { 'retry-after': '3600' })],
      'rate_limited',
      1,
    ],
    ['an error of the service, repeated once', [failed(500, 'internal')], 'internal', 2],
    ['a page of a proxy', [answer(502, '<h1>Bad gateway</h1>')], 'unexpected_response', 5],
    ['a success that is not one of the API', [answer(200, 'hello')], 'unexpected_response', 1],
    ['a connection that is refused', [new Error('connect ECONNREFUSED')], 'no_response', 5],
    ['a service that stays busy', [failed(503, 'unavailable', { 'retry-after': '1' })], 'unavailable', 5],
  ])(
    'after %s the request fails with a code, and the number of attempts is bounded',
    async (_, answers, code, attempts) => {
      const { api, sent } = apiWith(answers);
      await expect(api({ path: '/v1/account' })).rejects.toMatchObject({ code });
      expect(sent).toHaveLength(attempts);
    },
  );
});
