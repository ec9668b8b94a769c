import { EventEmitter } from 'node:events';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import type { EndedRequest } from '../request.ts';
import { createUnreadAnswers } from '../unread-answers.ts';
import type { BodyStream } from './reply.ts';
import { createWriteStream, maxStreamMs } from './write-stream.ts';

const turn = () => new Promise(setImmediate);
const kibibyte = 1_024;

/** A response whose reader takes pieces only when the test asks for it, and a stream that counts the parts that were made. */
function begin({
  parts = 3,
  partBytes = 100 * kibibyte,
  fail,
}: {
  parts?: number;
  partBytes?: number;
  fail?: Error;
} = {}) {
  const clock = new ManualClock();
  const unread = createUnreadAnswers();
  const taken: (() => void)[] = [];
  const response = Object.assign(new EventEmitter(), {
    socket: {} as object | null,
    destroyed: false,
    ended: false,
    writtenBytes: 0,
    write(piece: Buffer, done: () => void) {
      response.writtenBytes += piece.length;
      taken.push(done);
    },
    end() {
      response.ended = true;
      response.emit('close');
    },
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  let cuts = 0;
  let made = 0;
  let isReturned = false;
  const stream: BodyStream = async function* (deadline) {
    try {
      for (; made < parts; ) {
        deadline.timeoutMs();
        if (fail && made === 1) throw fail;
        made++;
        yield Buffer.alloc(partBytes);
      }
    } finally {
      isReturned = true;
    }
  };
  const request = { response, caller: { workspaceId: 'ws_1' } } as unknown as EndedRequest;
  const written = createWriteStream({ clock, onCut: () => cuts++, unread })(request, stream);
  return {
    clock,
    response,
    request,
    unread,
    written,
    made: () => made,
    cuts: () => cuts,
    isReturned: () => isReturned,
    async take() {
      await turn();
      taken.shift()?.();
      await turn();
    },
  };
}

describe('writeStream', () => {
  it('the next part of a stream is made only when the reader has taken the one before, and one part is in memory', async () => {
    const { made, take, unread, response, written } = begin();
    await turn();
    expect([made(), response.writtenBytes, unread.bytes]).toEqual([1, 64 * kibibyte, 100 * kibibyte]);
    await take();
    expect([made(), response.writtenBytes]).toEqual([1, 100 * kibibyte]);
    await take();
    expect([made(), unread.bytes]).toEqual([2, 100 * kibibyte]);
    for (let piece = 0; piece < 4; piece++) await take();
    await written;
    expect([made(), response.ended, response.destroyed, unread.bytes]).toEqual([3, true, false, 0]);
  });

  it('a caller that disconnects ends its stream, and no further part is made', async () => {
    const { made, response, written, isReturned, request, unread } = begin();
    await turn();
    response.destroy();
    await written;
    expect([made(), isReturned(), request.failure, unread.bytes]).toEqual([1, true, undefined, 0]);
  });

  it('a stream whose next part cannot be made closes its connection before the end of the body', async () => {
    const { take, response, written, request } = begin({ fail: new AppError('internal', 'No more.') });
    await take();
    await take();
    await written;
    expect([response.ended, response.destroyed, request.failureCode]).toEqual([false, true, 'internal']);
  });

  it('a reader of a stream that takes nothing for 30 s is cut, and the time in which a part is made does not count', async () => {
    const { clock, take, response, cuts, written } = begin();
    clock.advance(29_000);
    await turn();
    clock.advance(29_000);
    expect(response.destroyed).toBe(false);
    clock.advance(1_001);
    await written;
    expect([response.destroyed, cuts()]).toEqual([true, 1]);
    await take();
  });

  it('a stream ends after its longest time, however fast its reader is', async () => {
    const { clock, take, response, cuts, written } = begin({ parts: 1_000, partBytes: 300 * kibibyte });
    for (let atMs = 0; atMs < maxStreamMs && !response.destroyed; atMs += 5_000) {
      await take();
      clock.advance(5_000);
    }
    await written;
    expect([response.destroyed, cuts()]).toEqual([true, 1]);
  });
});
