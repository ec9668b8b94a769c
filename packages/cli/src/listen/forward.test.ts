import * as http from 'node:http';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import { forward } from './forward.ts';

const body = '{}';
const headers = { 'content-length': String(body.length) };
const never = new AbortController().signal;
const clock = (...times: number[]) => ({ nowMs: () => times.shift() ?? Number.NaN });

describe('forward', () => {
  test.each([
    ['/hang', null, 100],
    // The status arrives long before this limit, also on a busy machine.
    ['/drip', 200, 3_000],
  ])('forward to %s ends with the time limit', async (path, status, timeoutMs) => {
    await using receiver = await startReceiver([]);
    const url = new URL(path, receiver.url);
    const forwarded = await forward({ url, headers, body, timeoutMs, abort: never, ...clock(5, 105.4) });
    const error = `no complete response in ${timeoutMs / 1_000} s`;
    expect(forwarded).toEqual({ succeeded: false, status, error, latencyMs: 100 });
  });

  test('forward reads a bounded part of a response without an end', async () => {
    await using receiver = await startReceiver([]);
    const url = new URL('/large', receiver.url);
    const forwarded = await forward({ url, headers, body, timeoutMs: 60_000, abort: never, ...clock(0, 1) });
    expect(forwarded).toEqual({ succeeded: true, status: 200, error: null, latencyMs: 1 });
  });

  test('forward goes to the address itself when the program has a proxy', async () => {
    await using receiver = await startReceiver([]);
    // Nothing listens at port 1.
    const restore = http.setGlobalProxyFromEnv({ HTTP_PROXY: 'http://127.0.0.1:1' });
    try {
      const url = new URL(receiver.url);
      const forwarded = await forward({ url, headers, body, timeoutMs: 60_000, abort: never, ...clock(0, 1) });
      expect(forwarded).toMatchObject({ succeeded: true, status: 204 });
    } finally {
      restore();
    }
  });
});
