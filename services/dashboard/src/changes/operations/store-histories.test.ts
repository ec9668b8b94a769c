import { beforeEach, expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import { isNoAnswer } from '../../app/domain/no-answer.ts';
import { read } from './store-histories.ts';

const form = { domain: 'shop.example', newer: '', token: 'a-token-of-a-form' };
const claims = new Set<string>();
beforeEach(() => claims.clear());

/** Reads a history with a form. Returns the failure, and the number of calls of the API. */
async function send(answer: () => Response) {
  let calls = 0;
  const fetchFor = () => async () => {
    calls += 1;
    return answer();
  };
  const histories = {
    claim: async (_: string, { id }: { id: string }) => !claims.has(id) && claims.add(id),
    release: async (id: string) => claims.delete(id),
    find: async () => undefined,
  };
  const { deps } = withDashboardKeys(['s'], {
    gateway: { fetchFor } as never,
    histories: { live: histories } as never,
  });
  const error = await read(deps, keyVisit, form).catch((failure: unknown) => failure);
  return { error, calls };
}

const refusal = () =>
  Response.json({ error: { code: 'rate_limited', message: 'Slow down.', request_id: 'req_1' } }, { status: 429 });

it.each([
  [
    'the connection breaks',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
  ['another program answers', () => new Response('<html>', { status: 502 })],
])('a form of a history that comes again after no answer calls the API no second time: %s', async (_, answer) => {
  const first = await send(answer);
  expect([first.calls, isNoAnswer(first.error)]).toEqual([1, true]);
  const again = await send(answer);
  expect([again.calls, again.error]).toEqual([0, expect.objectContaining({ code: 'conflict' })]);
});

it('a form of a history that the API has refused calls the API again', async () => {
  const refused = expect.objectContaining({ code: 'rate_limited' });
  for (let attempt = 1; attempt <= 2; attempt += 1) expect(await send(refusal)).toEqual({ error: refused, calls: 1 });
});
