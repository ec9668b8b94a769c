import type { Clock } from '@shopscope/clock';
import type { EndedRequest } from '../request.ts';
import { createUnreadAnswers, type UnreadAnswers } from '../unread-answers.ts';

/**
 * Writes the body of a response at the speed of its reader, and cuts a reader that is too slow, because an answer occupies memory
 * and a concurrency slot until it is read.
 *
 * - A reader takes less than 8 KB/s for 30 s -> the connection closes, and `onCut` is called. An answer is therefore read within
 *   30 s or at 8 KB/s.
 * - An answer waits behind an earlier one of its connection (pipelining) -> its time begins with its first byte.
 * - A byte is taken when the kernel of this machine has accepted it. The kernel holds up to a few MB per connection, so a small answer
 *   is taken at once. The inactivity timeout of the server closes connections whose last bytes stay there.
 * - The unread answers of all callers occupy too much memory -> some are cut: see {@link UnreadAnswers}.
 * - Bound: at most {@link pieceBytes} are given to the connection at a time. The piece that is on its way counts as taken.
 */
export type WriteBody = (request: EndedRequest, body: Buffer | undefined) => void;

const slowForMs = 30_000;
const pieceBytes = 65_536;
const minBytesPerSecond = 8_192;
/** The number of bytes that a reader has to take within `slowForMs`. */
const progressBytes = (minBytesPerSecond * slowForMs) / 1_000 - pieceBytes;

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
    let takenBytes = 0;
    let progress = { atMs: clock.monotonicMs(), takenBytes };
    const markProgress = () => {
      progress = { atMs: clock.monotonicMs(), takenBytes };
    };
    const check = () => {
      if (response.socket === null) markProgress();
      const leftMs = progress.atMs + slowForMs - clock.monotonicMs();
      if (leftMs > 0) cancelCheck = clock.after(leftMs, check);
      else cut();
    };

    const writeFrom = (start: number) => {
      if (!body || body.length - start <= pieceBytes) {
        response.end(start === 0 ? body : body?.subarray(start));
        return;
      }
      response.write(body.subarray(start, start + pieceBytes), () => {
        if (response.destroyed) return;
        takenBytes += pieceBytes;
        if (takenBytes - progress.takenBytes >= progressBytes) markProgress();
        writeFrom(takenBytes);
      });
    };
    writeFrom(0);
    // The kernel has accepted the whole response.
    if (response.writableEnded && response.writableLength === 0) return;
    let cancelCheck = clock.after(slowForMs, check);
    // Only an answer that waited for an earlier one gets its socket after this line.
    response.once('socket', markProgress);
    response.once('close', () => cancelCheck());
    // Public documents have no caller, and all their responses share one buffer.
    if (body && caller) response.once('close', unread.add(caller.workspaceId, { bytes: body.length, cut }));
  };
}
