import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patchKafkajsBusyPolling } from './patch-kafkajs-busy-polling.ts';

interface TestedQueue {
  maybeThrottle(ms: number): void;
  push(request: { entry: { correlationId: number }; expectResponse: boolean; sendRequest(): void }): void;
  fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
}

const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
  options: object,
) => TestedQueue;

describe('patched request queue of kafkajs', () => {
  const sent: number[] = [];
  const logger = { debug() {}, warn() {} };
  const queue = (maxInFlightRequests?: number) =>
    new Queue({
      maxInFlightRequests,
      requestTimeout: 5_000,
      clientId: 'test',
      broker: 'b',
      logger,
      isConnected: () => true,
    });
  const request = (correlationId: number) => ({
    entry: { correlationId, resolve() {}, reject() {} },
    expectResponse: true,
    sendRequest: () => sent.push(correlationId),
  });

  beforeEach(() => {
    patchKafkajsBusyPolling();
    sent.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('the patched request queue of kafkajs sets no timer while no request waits', () => {
    const idle = queue();
    idle.push(request(1));
    idle.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the patched request queue of kafkajs sends a waiting request when throttling ends, and leaves no timer', () => {
    const throttled = queue();
    throttled.maybeThrottle(250);
    throttled.push(request(1));
    vi.advanceTimersByTime(249);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the patched request queue of kafkajs sends a request that waits for a slot as soon as a response frees one', () => {
    const narrow = queue(1);
    narrow.push(request(1));
    narrow.push(request(2));
    expect(sent).toEqual([1]);
    narrow.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    expect(sent).toEqual([1, 2]);
  });
});
