import { describe, expect, it } from 'vitest';
import type { ListStatus } from './load-store-list.ts';
import { runBatches } from './run-batches.ts';

const status = (state: 'open' | 'finished'): ListStatus => ({
  nowMs: 0,
  page: 1,
  entries: [],
  progress: { state, total: 2, finished: 1, batchSize: 1, batches: 2, billed: 0, counts: {} } as never,
});
const ran = () => Response.json({ outcome: 'ran', ...status('open') });
const finished = () => Response.json({ outcome: 'ran', ...status('finished') });
const failed = (code: number, retryAfter?: string) => () =>
  Response.json(
    { outcome: 'failed', message: 'The API refused.' },
    { status: code, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } },
  );

/** What happened in a run that gets these responses; the last one comes again and again. */
async function runWith(...responses: (() => Response)[]) {
  const signal = new AbortController().signal;
  const seen = { requests: 0, pausesMs: [] as number[], waits: [] as string[], stop: undefined as string | undefined };
  await runBatches({
    async fetchNext() {
      const response = responses[Math.min(seen.requests, responses.length - 1)];
      seen.requests += 1;
      return (response as () => Response)();
    },
    async pause(ms) {
      seen.pausesMs.push(ms);
    },
    signal,
    onStatus() {},
    onBatch() {},
    onWait: (text) => seen.waits.push(text),
    onStop(text) {
      seen.stop = text;
    },
  });
  return seen;
}

describe('runBatches', () => {
  it.each([429, 503])('a list that is run waits as long as Retry-After of %i says, and goes on', async (code) => {
    const { pausesMs, waits, requests, stop } = await runWith(ran, failed(code, '37'), ran, finished);
    expect(pausesMs).toEqual([37_000]);
    expect(waits).toEqual(['The API refused. Next try in 37 s.']);
    expect([requests, stop]).toEqual([4, undefined]);
  });

  it('a list that is run waits as long as Retry-After says when the dashboard refuses it for its own limits', async () => {
    const page = () => new Response('<!doctype html>', { status: 503, headers: { 'Retry-After': '5' } });
    const limit = () =>
      Response.json({ error: { code: 'rate_limited' } }, { status: 429, headers: { 'Retry-After': '9' } });
    expect((await runWith(page, limit, finished)).pausesMs).toEqual([5_000, 9_000]);
  });

  it('a list that is run stops at a Retry-After of more than two minutes, and says the time in words', async () => {
    const { requests, pausesMs, stop } = await runWith(failed(429, '121'));
    expect([requests, pausesMs]).toEqual([1, []]);
    expect(stop).toBe('The API refused. Resume the list in 3 minutes.');
  });

  it.each(['', 'soon', '-1', '1e3', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
    'a list that is run has growing pauses when Retry-After is %j',
    async (retryAfter) => {
      expect((await runWith(failed(503, retryAfter), failed(503), finished)).pausesMs).toEqual([2_000, 4_000]);
    },
  );

  it.each([
    ['is lost', () => Promise.reject(new TypeError('fetch failed'))],
    ['ends within a response', () => new Response('{"outcome": "ra')],
  ])('a list that is run goes on after a connection that %s', async (_, response) => {
    const { pausesMs, waits, stop } = await runWith(response as () => Response, finished);
    expect([pausesMs, stop]).toEqual([[2_000], undefined]);
    expect(waits).toEqual(['The dashboard did not answer. Next try in 2 s.']);
  });

  it('a list that is run stops after ten refusals in a row, and counts anew after a batch', async () => {
    const { requests, stop } = await runWith(failed(429, '0'), ran, failed(429, '0'));
    expect([requests, stop]).toEqual([12, 'The API refused.']);
  });

  it.each([402, 403])('a list that is run stops at %i and says why', async (code) => {
    expect(await runWith(failed(code, '1'))).toMatchObject({ requests: 1, pausesMs: [], stop: 'The API refused.' });
  });
});
