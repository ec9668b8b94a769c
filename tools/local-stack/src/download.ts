import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hourMs } from '@shopscope/clock';
import { LocalStackError } from './error.ts';

/**
 * Downloads of programs into a cache.
 *
 * - Interrupted download -> nothing in the cache: files are prepared in another folder and moved at the end.
 * - Failed download -> two more attempts.
 */
export type Report = (line: string) => void;

export interface FetchOptions {
  cacheDir: string;
  report: Report;
  abort?: AbortSignal | undefined;
}

const downloadAttempts = 3;
const abandonedAfterMs = hourMs;

/** Works in a folder in the cache, so that finished programs are moved atomically. Removes abandoned folders of earlier downloads. */
export async function inWorkFolder(cacheDir: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  for (const name of (await readdir(cacheDir)).filter((entry) => entry.startsWith('part-'))) {
    const { mtimeMs } = await stat(join(cacheDir, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(cacheDir, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(cacheDir, 'part-'));
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

type Download = (bounds: { timeoutMs: number; abort: AbortSignal | undefined }) => Promise<unknown>;

/** Reports the start and the progress of a download. Retries a failed download. */
export async function download(label: string, { report, abort }: FetchOptions, attempt: Download): Promise<void> {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  report(`downloading ${label}`);
  const progress = setInterval(() => report(`still downloading ${label}, ${seconds()} s so far`), 10_000);
  try {
    for (let tried = 1; ; tried++) {
      try {
        await attempt({ timeoutMs: 300_000, abort });
        report(`downloaded ${label} in ${seconds()} s`);
        return;
      } catch (error) {
        abort?.throwIfAborted();
        if (tried === downloadAttempts) {
          throw new LocalStackError(
            `${label} could not be downloaded after ${downloadAttempts} attempts (${(error as Error).message.slice(0, 200)}); check the network and try again.`,
            { cause: error },
          );
        }
        report(`${label}: attempt ${tried} failed, trying again`);
      }
    }
  } finally {
    clearInterval(progress);
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
