import { EventEmitter } from 'node:events';
import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createSendReply } from '../reply/send-reply.ts';
import { createWriteBody } from '../reply/write-body.ts';
import type { ReadRequest } from '../request.ts';
import { startDeadline } from './start-deadline.ts';

const units = unitsOf({ lookupCached: 1 });

/** A request that the chain has begun. */
function begin({ screeningMs = 0, body }: { screeningMs?: number; body?: Buffer } = {}) {
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
  const deadline = createRequestDeadline(clock);
  const billing = new RequestBilling();
  const message = { complete: true, headers: {} };
  const request = { message, response, requestId: 'req_1', deadline, billing, bytes: body } as unknown as ReadRequest;
  const send = createSendReply({
    balances: { remaining: () => undefined } as never,
    isDraining: () => false,
    writeBody: createWriteBody({ clock, onCut: () => {} }),
    writeStream: async () => {},
  });
  startDeadline({ clock, send }, request, screeningMs);
  const advance = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const reply = (status: number) => send(request, { status, headers: {} } as never);
  return { beginCommit: () => billing.beginCommit(units, request.deadline), billing, response, advance, reply };
}

describe('startDeadline', () => {
  it('a request that exceeds its time limit responds internal when nothing may be billed', async () => {
    const { response, advance, beginCommit } = begin();
    await advance(10_260);
    expect(response.status).toBe(500);
    expect(beginCommit).toThrow();
  });

  it('the time limit of a request includes the look-up of its key before its body is read', async () => {
    const { response, advance, beginCommit } = begin({ screeningMs: 2_500, body: Buffer.from('{}') });
    await advance(7_490);
    expect(beginCommit).not.toThrow();
    const late = begin({ screeningMs: 2_500, body: Buffer.from('{}') });
    await late.advance(7_510);
    expect(late.beginCommit).toThrow();
    await late.advance(250);
    expect(late.response.status).toBe(500);
    expect(response.status).toBe(0);
  });

  it('a late request sends its billed response, or closes the connection, when its charge may be billed', async () => {
    for (const hasResponse of [true, false]) {
      const { response, advance, beginCommit, reply } = begin();
      await advance(9_700);
      beginCommit();
      await advance(600);
      expect([response.status, response.destroyed]).toEqual([0, false]);
      if (hasResponse) await reply(200);
      await advance(200);
      expect([response.status, response.destroyed]).toEqual(hasResponse ? [200, false] : [0, true]);
    }
  });

  it('a request whose commit has begun sends an error only when its charge is void', async () => {
    const billed = begin();
    billed.beginCommit();
    await billed.reply(500);
    expect([billed.response.status, billed.response.destroyed]).toEqual([0, true]);
    const voided = begin();
    voided.beginCommit();
    voided.billing.markVoided();
    await voided.reply(503);
    expect([voided.response.status, voided.response.destroyed]).toEqual([503, false]);
  });
});
