import type { MongoClient } from 'mongodb';

/** MongoDB's default, for a server that does not say its own. */
const defaultWindowMs = 300_000;
/** The share of the window after which the rate is known well enough to stop. */
const judgedAfter = 0.1;
/** The rate may rise: only a dump that would take more than this many windows stops. */
const maxWindows = 1.5;

/** Returns how long the server that the dump reads keeps a snapshot. The role backup may ask. */
export async function readSnapshotWindowMs(client: MongoClient): Promise<number> {
  const { readPreference } = client;
  const { minSnapshotHistoryWindowInSeconds: seconds } = await client
    .db('admin')
    .command({ getParameter: 1, minSnapshotHistoryWindowInSeconds: 1 }, { readPreference })
    .catch(() => ({}) as { minSnapshotHistoryWindowInSeconds?: number });
  return typeof seconds === 'number' ? seconds * 1_000 : defaultWindowMs;
}

/** The bytes that a dump has read, of those that it has to read. */
export interface SnapshotPace {
  /** Counts bytes. Throws when the rate so far shows that the dump cannot end before MongoDB drops its snapshot. */
  read(bytes: number): void;
  /** How far the dump is, and how long it would take at the rate so far. */
  estimate(): string;
}

export function createSnapshotPace(options: {
  windowMs: number;
  expectedBytes: number;
  elapsedMs(): number;
}): SnapshotPace {
  const { windowMs, expectedBytes, elapsedMs } = options;
  let done = 0;
  const neededMs = () => (elapsedMs() * expectedBytes) / Math.max(1, done);
  const estimate = () =>
    `${megabytes(done)} of ${megabytes(expectedBytes)} were read in ${seconds(elapsedMs())}, so it needs about ${seconds(neededMs())}`;
  return {
    estimate,
    read(bytes) {
      done += bytes;
      if (elapsedMs() < judgedAfter * windowMs || neededMs() <= maxWindows * windowMs) return;
      throw new Error(
        `the dump cannot end in time: ${estimate()}, and MongoDB keeps its snapshot for ${seconds(windowMs)}; ${windowAdvice}`,
      );
    },
  };
}

export const windowAdvice = 'set minSnapshotHistoryWindowInSeconds to more than the duration of the dump';

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
