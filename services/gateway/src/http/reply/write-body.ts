import type { Clock } from '@shopscope/clock';
import type { EndedRequest } from '../request.ts';
import { createUnreadAnswers, type UnreadAnswers } from '../unread-answers.ts';
import { pieceBytes, watchReader } from './watch-reader.ts';

/**
 * Writes the body of a response at the speed of its reader, and cuts a reader that is too slow (watch-reader.ts), because an answer
 * occupies memory and a concurrency slot until it is read.
 *
 * - A reader is too slow -> the connection closes, and `onCut` is called.
 * - The unread answers of all callers occupy too much memory -> some are cut: see {@link UnreadAnswers}.
 * - Bound: at most {@link pieceBytes} are given to the connection at a time.
 */
export type WriteBody = (request: EndedRequest, body: Buffer | undefined) => void;

export interface WriteBodyOptions {
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Called for each response that is cut. */
  onCut(request: EndedRequest): void;
  unread?: Pick<UnreadAnswers, 'add'>;
}

export function createWriteBody({ clock, onCut, unread = createUnreadAnswers() }: WriteBodyOptions): WriteBody {
  return (request, body) => {
    const { response, caller } = request;
    const cut = () => {
      onCut(request);
      response.destroy();
    };
    const reader = watchReader(clock, response, cut);

    const writeFrom = (start: number) => {
      if (!body || body.length - start <= pieceBytes) {
        response.end(start === 0 ? body : body?.subarray(start));
        return;
      }
      response.write(body.subarray(start, start + pieceBytes), () => {
        if (response.destroyed) return;
        reader.took(pieceBytes);
        writeFrom(start + pieceBytes);
      });
    };
    writeFrom(0);
    // The kernel has accepted the whole response.
    if (response.writableEnded && response.writableLength === 0) return;
    reader.start();
    // Public documents have no caller, and all their responses share one buffer.
    if (body && caller) response.once('close', unread.add(caller.workspaceId, { bytes: body.length, cut }));
  };
}
