import { createDeadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { EndedRequest } from '../request.ts';
import { createUnreadAnswers } from '../unread-answers.ts';
import type { BodyStream } from './reply.ts';
import { pieceBytes, watchReader } from './watch-reader.ts';
import type { WriteBodyOptions } from './write-body.ts';

/**
 * Writes a response of any length, part by part. The next part is made when the reader has taken the one before, so memory holds one part (decision 78).
 *
 * - The caller disconnects -> no further part is made.
 * - A part cannot be made -> the connection closes before the last chunk of the body, so that the caller sees that rows are missing.
 * - The reader is too slow (watch-reader.ts), or has read for {@link maxStreamMs} -> the same, and `onCut` is called.
 * - The unread answers of all callers occupy too much memory -> as for other responses; a stream counts with its part.
 *
 * The deadline of a request ends with the headers of its response. It therefore bounds the time to the first byte only.
 */
export type WriteStream = (request: EndedRequest, stream: BodyStream) => Promise<void>;

export const maxStreamMs = 30 * 60_000;

/** The promise never rejects. */
export function createWriteStream({ clock, onCut, unread = createUnreadAnswers() }: WriteBodyOptions): WriteStream {
  return async (request, stream) => {
    const { response, caller } = request;
    const cut = () => {
      onCut(request);
      response.destroy();
    };
    const deadline = createDeadline(maxStreamMs, { clock });
    const cancelBound = clock.after(maxStreamMs, cut);
    let endWait = () => {};
    response.once('close', () => {
      cancelBound();
      deadline.cancel();
      endWait();
    });
    const reader = watchReader(clock, response, cut);
    reader.start();

    const writePart = async (part: Buffer) => {
      const remove = unread.add(caller?.workspaceId ?? '', { bytes: part.length, cut });
      for (let start = 0; start < part.length && !response.destroyed; start += pieceBytes) {
        const piece = part.subarray(start, start + pieceBytes);
        await new Promise<void>((resolve) => {
          endWait = resolve;
          response.write(piece, () => resolve());
        });
        reader.took(piece.length);
      }
      remove();
    };
    try {
      for await (const part of stream(deadline)) {
        if (response.destroyed) return;
        reader.markProgress();
        await writePart(part);
        if (response.destroyed) return;
      }
      response.end();
    } catch (error) {
      // Nobody reads the response any more, or the bound of its time has passed.
      if (response.destroyed) return;
      request.failure = error;
      request.failureCode = AppError.from(error).code;
      response.destroy();
    }
  };
}
