import { mkdir, rmdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, dayMs } from '@shopscope/clock';
import { type DumpEntry, dumpName, listDumps } from './catalog.ts';
import { maxDumpMs } from './dump.ts';
import type { Manifest } from './manifest.ts';
import { removeDump } from './remove-dump.ts';
import { megabytes } from './snapshot-pace.ts';

/** The newest good dumps, which nothing removes. */
export const keptDumps = 3;
/** Only the dumps of the last 7 days can be restored without a loss (docs/backup.md). */
const maxAgeMs = 14 * dayMs;
/** The room for a dump is this multiple of the bytes that MongoDB counts: the count is approximate, and files need more than documents. */
const margin = 1.2;

export interface NightlyOptions {
  /** The folder of all dumps. */
  folder: string;
  /** The bytes of the documents that a dump would have now. */
  expectedBytes(): Promise<number>;
  /** Dumps into an empty directory. */
  dump(directory: string): Promise<Manifest>;
  clock: Pick<Clock, 'now'>;
  report(line: string): void;
  /** The free bytes of the volume. */
  freeBytes?(folder: string): Promise<number>;
}

/**
 * Makes one dump in a folder of dumps. It cleans up first, so that a full volume heals without help.
 *
 * 1. Fail when another dump may be running: an unfinished one is younger than {@link maxDumpMs}.
 * 2. Remove unfinished dumps.
 * 3. Remove dumps older than 14 days, except the newest {@link keptDumps} good ones.
 * 4. Remove the oldest dumps, with the same exception, until the next dump fits. If that does not suffice, remove none and fail.
 * 5. Dump into a new directory. Two processes of the same second cannot both make it. It is removed when the dump fails.
 *
 * Dumps of the future come from a wrong clock, and are no reason to remove a dump of the past. A dump that cannot be read stays,
 * because the volume may have a fault that passes.
 */
export async function nightly(options: NightlyOptions): Promise<DumpEntry> {
  const { folder, dump, clock, report } = options;
  const startedMs = clock.now();
  const found = await listDumps(folder);
  const unfinished = found.filter(({ state }) => state === 'unfinished');
  // Step 1: the other dump.
  const running = unfinished.find((each) => isYoung(each, startedMs));
  if (running) {
    throw new Error(
      `another dump may be running: ${running.directory} is unfinished and younger than ${maxDumpMs / 60_000} minutes; remove it if no process writes to it`,
    );
  }
  // Steps 2 and 3: what no dump needs.
  const good = found.filter((each) => each.state === 'good' && each.startedMs <= startedMs);
  const kept = new Set(good.slice(-keptDumps));
  const unreadable = found.filter(({ state }) => state === 'unreadable');
  for (const { directory, problem } of unreadable) report(`kept ${directory}, which cannot be read: ${problem}`);
  const judged = found.filter((each) => !unfinished.includes(each) && !unreadable.includes(each));
  const old = judged.filter((each) => startedMs - each.startedMs > maxAgeMs);
  await removeAll([...unfinished, ...old.filter((each) => !kept.has(each))], report);
  // Step 4: room.
  const spare = good.filter((each) => !kept.has(each) && !old.includes(each));
  await makeRoom({ ...options, neededBytes: Math.ceil((await options.expectedBytes()) * margin), spare });
  // Step 5: the dump.
  const directory = join(folder, dumpName(startedMs));
  await claim(directory);
  try {
    await dump(directory);
  } catch (error) {
    // Fails when the dump removed it.
    await rmdir(directory).catch(() => {});
    throw error;
  }
  const made = (await listDumps(folder)).find((each) => each.directory === directory);
  if (made?.state !== 'good') throw new Error(`${directory} is not a good dump although it ended`);
  return made;
}

/** Whether a dump is so young that its process may still write to it. The clock of that process may be ahead. */
export const isYoung = ({ startedMs }: DumpEntry, nowMs: number): boolean => Math.abs(nowMs - startedMs) < maxDumpMs;

/** Fails when the directory exists. */
async function claim(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`another dump runs in ${directory}`);
  }
}

async function removeAll(dumps: readonly DumpEntry[], report: (line: string) => void): Promise<void> {
  for (const { directory, state } of dumps) {
    await removeDump(directory);
    report(`removed ${directory} (${state})`);
  }
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function makeRoom(options: NightlyOptions & { neededBytes: number; spare: readonly DumpEntry[] }): Promise<void> {
  const { folder, report, neededBytes, spare, freeBytes = freeBytesOf } = options;
  let free = await freeBytes(folder);
  const removableBytes = spare.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free + removableBytes < neededBytes) {
    throw new Error(
      `the volume has no room for a dump: ${folder} has ${megabytes(free)} free and ${megabytes(removableBytes)} in dumps beyond the newest ${keptDumps}, and the next dump needs ${megabytes(neededBytes)}; enlarge the volume or remove other files`,
    );
  }
  for (const each of spare) {
    if (free >= neededBytes) return;
    await removeAll([each], report);
    free = await freeBytes(folder);
  }
}
