import { statfs } from 'node:fs/promises';
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
/** The next dump in sizes of the last one. */
const growth = 1.2;

export interface NightlyOptions {
  /** The folder of all dumps. */
  folder: string;
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
 * 5. Dump. A dump that fails removes its own directory.
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
  const kept = new Set(goodOnes(found).slice(-keptDumps));
  const old = found.filter((each) => each.state !== 'unfinished' && startedMs - each.startedMs > maxAgeMs);
  await removeAll([...unfinished, ...old.filter((each) => !kept.has(each))], report);
  // Step 4: room.
  const spare = goodOnes(found).filter((each) => !kept.has(each) && !old.includes(each));
  await makeRoom({ ...options, lastBytes: goodOnes(found).at(-1)?.bytes ?? 0, spare });
  // Step 5: the dump.
  const directory = join(folder, dumpName(startedMs));
  await dump(directory);
  const made = (await listDumps(folder)).find((each) => each.directory === directory);
  if (made?.state !== 'good') throw new Error(`${directory} is not a good dump although it ended`);
  return made;
}

/** Whether a dump is so young that its process may still write to it. The clock of that process may be ahead. */
export const isYoung = ({ startedMs }: DumpEntry, nowMs: number): boolean => Math.abs(nowMs - startedMs) < maxDumpMs;

const goodOnes = (dumps: readonly DumpEntry[]): DumpEntry[] => dumps.filter(({ state }) => state === 'good');

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

async function makeRoom(options: NightlyOptions & { lastBytes: number; spare: readonly DumpEntry[] }): Promise<void> {
  const { folder, report, lastBytes, spare, freeBytes = freeBytesOf } = options;
  const neededBytes = Math.ceil(lastBytes * growth);
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
