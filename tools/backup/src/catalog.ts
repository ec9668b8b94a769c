import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInstant } from '@shopscope/clock';
import { InvalidManifestError, type Manifest, manifestName, readManifest } from './manifest.ts';

/**
 * - `good`: the manifest is complete, and each file has the length that it names.
 * - `unfinished`: there is no manifest, so a process ended during the dump, or the dump still runs.
 * - `damaged`: there is a manifest, but not of this version, or files are missing or too short.
 * - `unreadable`: the volume fails to read it, so it may be good.
 */
export type DumpState = 'good' | 'unfinished' | 'damaged' | 'unreadable';

export interface DumpEntry {
  directory: string;
  startedMs: number;
  state: DumpState;
  /** Zero unless the dump is good. */
  bytes: number;
  tookMs: number;
  /** Why an unreadable dump cannot be read. */
  problem?: string;
}

/** The name of a dump is its start in UTC. The seconds may be missing in the name of a dump that was made by hand. */
const namePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})?$/;

export const dumpName = (startedMs: number): string =>
  new Date(startedMs).toISOString().slice(0, 19).replaceAll(':', '');

function startOf(name: string): number | undefined {
  const [, day, hour, minute, second = '00'] = namePattern.exec(name) ?? [];
  return day === undefined ? undefined : parseInstant(`${day}T${hour}:${minute}:${second}Z`);
}

/** Lists the dumps of a folder, oldest first. Files, and entries with other names, are not dumps, and nothing removes them. */
export async function listDumps(folder: string): Promise<DumpEntry[]> {
  const entries: DumpEntry[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const startedMs = startOf(entry.name);
    if (startedMs === undefined || !entry.isDirectory()) continue;
    const directory = join(folder, entry.name);
    const judged = await judge(directory).catch((error: Error) => ({ ...unreadable, problem: error.message }));
    entries.push({ directory, startedMs, ...judged });
  }
  return entries.sort((a, b) => a.startedMs - b.startedMs);
}

const nothing = { bytes: 0, tookMs: 0 };
const unreadable = { state: 'unreadable', ...nothing } as const;

async function judge(directory: string): Promise<Pick<DumpEntry, 'state' | 'bytes' | 'tookMs'>> {
  if ((await lengthOf(join(directory, manifestName))) === undefined) return { state: 'unfinished', ...nothing };
  const manifest = await readManifest(directory).catch((error: unknown) => {
    if (!(error instanceof InvalidManifestError)) throw error;
  });
  if (!manifest || !(await isComplete(directory, manifest))) return { state: 'damaged', ...nothing };
  const bytes = collectionsOf(manifest).reduce((sum, each) => sum + each.bytes, 0);
  return { state: 'good', bytes, tookMs: manifest.tookMs };
}

async function isComplete(directory: string, manifest: Manifest): Promise<boolean> {
  for (const { file, bytes } of collectionsOf(manifest)) {
    if ((await lengthOf(join(directory, file))) !== bytes) return false;
  }
  return true;
}

const collectionsOf = ({ databases }: Manifest) => databases.flatMap(({ collections }) => collections);

/** Undefined when there is no such file. Another failure of the volume rejects: it must not make a dump look unfinished or damaged. */
async function lengthOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
