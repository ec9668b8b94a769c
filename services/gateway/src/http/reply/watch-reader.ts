import type { ServerResponse } from 'node:http';
import type { Clock } from '@shopscope/clock';

/**
 * Cuts a reader that takes less than 8 KB/s for 30 s. A response is therefore read within 30 s or at 8 KB/s.
 *
 * - A response waits behind an earlier one of its connection (pipelining) -> its time begins with its first byte.
 * - A byte is taken when the kernel of this machine has accepted it. The kernel holds up to a few MB per connection, so a small answer
 *   is taken at once. The inactivity timeout of the server closes connections whose last bytes stay there.
 * - The watch ends with the response.
 */
export type ReaderWatch = ReturnType<typeof watchReader>;

const slowForMs = 30_000;
/** At most this many bytes are given to the connection at a time. The piece that is on its way counts as taken. */
export const pieceBytes = 65_536;
const minBytesPerSecond = 8_192;
/** The number of bytes that a reader has to take within `slowForMs`. */
const progressBytes = (minBytesPerSecond * slowForMs) / 1_000 - pieceBytes;

export function watchReader(clock: Pick<Clock, 'monotonicMs' | 'after'>, response: ServerResponse, cut: () => void) {
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
  let cancelCheck: () => void = () => {};
  return {
    /** Starts the watch. */
    start() {
      cancelCheck = clock.after(slowForMs, check);
      // Only an answer that waited for an earlier one gets its socket after this line.
      response.once('socket', markProgress);
      response.once('close', () => cancelCheck());
    },
    /** The reader has taken these bytes. */
    took(bytes: number) {
      takenBytes += bytes;
      if (takenBytes - progress.takenBytes >= progressBytes) markProgress();
    },
    /** The reader had nothing to read until now. */
    markProgress,
  };
}
