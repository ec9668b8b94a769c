import { EventEmitter } from 'node:events';
import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import type { EndedRequest } from '../request.ts';
import { createUnreadAnswers } from '../unread-answers.ts';
import { createWriteBody } from './write-body.ts';

/** A response whose reader takes bytes only when the test calls `take`. */
function begin(bodyBytes: number, { isAcceptedAtOnce = false, unread = createUnreadAnswers() } = {}) {
  const clock = new ManualClock();
  const pieces: { bytes: number; taken?: (() => void) | undefined }[] = [];
  const response = Object.assign(new EventEmitter(), {
    socket: {} as object | null,
    destroyed: false,
    ended: false,
    writableEnded: false,
    writableLength: 0,
    write(piece: Buffer, taken: () => void) {
      pieces.push({ bytes: piece.length, taken });
      return false;
    },
    end(piece?: Buffer) {
      if (piece) pieces.push({ bytes: piece.length });
      response.ended = true;
      response.writableEnded = true;
      response.writableLength = isAcceptedAtOnce ? 0 : (piece?.length ?? 0);
    },
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  let cuts = 0;
  const request = { response, caller: { workspaceId: 'ws_1' } } as unknown as EndedRequest;
  createWriteBody({ clock, onCut: () => cuts++, unread })(request, Buffer.alloc(bodyBytes));
  return {
    response,
    pieces,
    clock,
    cuts: () => cuts,
    written: () => pieces.reduce((sum, { bytes }) => sum + bytes, 0),
    /** The reader takes the piece that is being written. */
    take() {
      const piece = pieces.find(({ taken }) => taken);
      const { taken } = piece ?? {};
      if (piece) piece.taken = undefined;
      taken?.();
    },
    /** Seconds pass one by one, as for timers of the system. */
    pass(seconds: number, each: (second: number) => void = () => {}) {
      for (let second = 1; second <= seconds; second++) {
        each(second);
        clock.advance(1_000);
      }
    },
  };
}

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

describe('writeBody', () => {
  it('a reader that takes nothing for 30 s is cut, and not before', () => {
    const { response, pass, cuts } = begin(5 * mebibyte);
    pass(29);
    expect([response.destroyed, cuts()]).toEqual([false, 0]);
    pass(1);
    expect([response.destroyed, cuts()]).toEqual([true, 1]);
  });

  it('a reader that takes a few bytes every 20 s is cut, although its connection is never idle', () => {
    const { response, pass, take } = begin(5 * mebibyte);
    pass(60, (second) => second % 20 === 0 && take());
    expect(response.destroyed).toBe(true);
  });

  it('a reader that takes 8 KB/s gets all of an answer of 5 MiB, however long that lasts', () => {
    const { response, pass, take, cuts } = begin(5 * mebibyte);
    // 64 KiB every 8 s.
    pass(640, (second) => second % 8 === 0 && take());
    expect([response.ended, response.destroyed, cuts()]).toEqual([true, false, 0]);
  });

  it('a reader is cut when newer answers need the memory, and an answer that was taken needs none', () => {
    const unread = createUnreadAnswers(10 * mebibyte);
    const taken = begin(6 * mebibyte, { unread });
    taken.response.emit('close');
    const [first, second, third] = [5, 4, 3].map((size) => begin(size * mebibyte, { unread }));
    expect([first, second, third].map((each) => each?.response.destroyed)).toEqual([true, false, false]);
    expect([first?.cuts(), taken.cuts(), unread.bytes]).toEqual([1, 0, 7 * mebibyte]);
  });

  it('a reader that was fast and then stops is cut 30 s later, however much it took before', () => {
    const { response, pass, take } = begin(5 * mebibyte);
    pass(60, () => take());
    pass(28);
    expect(response.destroyed).toBe(false);
    pass(5);
    expect(response.destroyed).toBe(true);
  });

  it('a reader that leaves a short rest of its answer unread is cut too', () => {
    const { response, pass, take } = begin(65 * kibibyte);
    pass(10);
    take();
    expect(response.ended).toBe(true);
    pass(20);
    expect(response.destroyed).toBe(true);
  });

  it('a reader that waits for an earlier answer of its connection has the whole time from then on', () => {
    const { response, pass } = begin(5 * mebibyte);
    response.socket = null;
    pass(300);
    expect(response.destroyed).toBe(false);
    response.socket = {};
    pass(29);
    expect(response.destroyed).toBe(false);
    pass(31);
    expect(response.destroyed).toBe(true);
  });

  it('a reader has the whole time also when the earlier answer ends just before the next check', () => {
    const { response, pass } = begin(5 * mebibyte);
    response.socket = null;
    pass(59);
    response.socket = {};
    response.emit('socket', response.socket);
    pass(29);
    expect(response.destroyed).toBe(false);
    pass(1);
    expect(response.destroyed).toBe(true);
  });

  it('a reader gets a small answer in one piece', () => {
    const { response, written, pieces } = begin(3 * kibibyte);
    expect([response.ended, written(), pieces.length]).toEqual([true, 3 * kibibyte, 1]);
  });

  it('a reader is not watched when the kernel has accepted the whole answer at once', () => {
    const accepted = begin(3 * kibibyte, { isAcceptedAtOnce: true });
    accepted.pass(60);
    expect([accepted.response.destroyed, accepted.cuts()]).toEqual([false, 0]);
    const waiting = begin(3 * kibibyte);
    waiting.pass(60);
    expect([waiting.response.destroyed, waiting.cuts()]).toEqual([true, 1]);
  });

  it('a reader gets no further piece before it took the last one, so that the gateway holds one piece', () => {
    const { written, take } = begin(mebibyte);
    expect(written()).toBe(64 * kibibyte);
    take();
    expect(written()).toBe(128 * kibibyte);
  });

  it('a reader that disconnects ends the writing and its timer', () => {
    const { response, pass, cuts, take, written } = begin(mebibyte);
    response.emit('close');
    response.destroyed = true;
    take();
    pass(600);
    expect([written(), cuts()]).toEqual([64 * kibibyte, 0]);
  });
});
