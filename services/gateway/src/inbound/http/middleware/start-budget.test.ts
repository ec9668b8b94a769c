import { EventEmitter } from 'node:events';
import { ManualClock } from '@shopscope/clock';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBudget } from '../../../domain/budget.ts';
import { createSendReply } from '../send-reply.ts';
import { startBudget } from './start-budget.ts';

/** A request in the hands of the chain, on one clock for its budget and its timers. */
function begin() {
  const clock = new ManualClock();
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    destroyed: false,
    status: 0,
    writeHead(status: number) {
      response.headersSent = true;
      response.status = status;
    },
    end: () => {},
    destroy() {
      response.destroyed = true;
    },
  });
  const budget = createBudget(clock);
  const exchange = { requestId: 'req_1', budget, body: undefined, caller: undefined, admission: undefined };
  const request = { complete: true, headers: {}, exchange } as unknown as Request;
  const send = createSendReply({ balances: { remaining: () => undefined } as never, isDraining: () => false });
  startBudget(clock, send)(request, response as unknown as Response, () => {});
  const advance = async (ms: number) => {
    clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
  };
  const reply = (status: number) => send(request, response as unknown as Response, { status, headers: {} } as never);
  return { budget, response, advance, reply };
}

describe('the time of a request', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('that ends before anything may be billed is told as internal', async () => {
    const { response, advance, budget } = begin();
    await advance(10_260);
    expect(response.status).toBe(500);
    expect(() => budget.beginCommit()).toThrow();
  });

  it('that ends once its charge is billed is never told as internal: the answer still comes, or the connection closes', async () => {
    for (const isAnswered of [true, false]) {
      const { response, advance, budget, reply } = begin();
      await advance(9_700);
      budget.beginCommit();
      await advance(600);
      expect([response.status, response.destroyed]).toEqual([0, false]);
      if (isAnswered) await reply(200);
      await advance(200);
      expect([response.status, response.destroyed]).toEqual(isAnswered ? [200, false] : [0, true]);
    }
  });

  it('an error is told of a charge only once it is void', async () => {
    const billed = begin();
    billed.budget.beginCommit();
    await billed.reply(500);
    expect([billed.response.status, billed.response.destroyed]).toEqual([0, true]);
    const voided = begin();
    voided.budget.beginCommit();
    voided.budget.endCommit();
    await voided.reply(503);
    expect([voided.response.status, voided.response.destroyed]).toEqual([503, false]);
  });
});
