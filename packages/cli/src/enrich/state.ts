import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../exit-codes.ts';

/** What a run over a FILE needs to continue: a file beside its output. */
export interface State {
  version: 1;
  /** Part of each Idempotency-Key, so that batches in flight at the end of the previous run are replayed and bill nothing. */
  run: string;
  /** The time of the first request of the run. An Idempotency-Key is valid for 24 hours. */
  startedAt: string;
  batchSize: number;
  refresh: boolean;
  wait: boolean;
  /** Rows whose results are in the output, a whole number of batches. */
  rows: number;
  outputBytes: number;
  /** A digest of the inputs of these rows, in their order. */
  inputHash: string;
  /** The header of a table. The output has its columns. */
  header?: readonly string[];
  units: { lookup_cached: number; lookup_live: number };
  matches: Record<string, number>;
}

/** What a run with --list needs to continue: the same file. */
export interface ListState {
  version: 1;
  list: string;
  refresh: boolean;
  maxUnits: number;
  /** The Idempotency-Key of the start, valid for 24 hours. */
  key: string;
  /** The time before the first request that had the key. */
  startedAt: string;
  /** The id of the job. Undefined until the response has arrived. */
  job?: string;
}

export const stateFileOf = (output: string) => `${output}.state.json`;

export async function readState(output: string): Promise<State | ListState | undefined> {
  let text: string;
  try {
    text = await readFile(stateFileOf(output), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const state = JSON.parse(text) as State | ListState;
    if (state.version === 1) return state;
  } catch {
    // The message is the same.
  }
  throw new UsageError(`${stateFileOf(output)} cannot be read. Delete it and ${output} to begin again.`);
}

/** The error of a run that cannot continue the one that began the output. `how`: how that one was called. */
export const otherRun = (output: string, how: string) =>
  new UsageError(
    `${output} was begun ${how}. Continue it the same way, or delete ${stateFileOf(output)} and ${output}.`,
  );

/** Writes the file. An interrupted write leaves the old file. */
export async function writeState(output: string, state: State | ListState): Promise<void> {
  const draft = `${stateFileOf(output)}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(state)}\n`);
    await rename(draft, stateFileOf(output));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * One run at a time writes an output: two would cut off rows of each other. Resolves to a function that ends the lock.
 *
 * - Another process has the lock -> throws UsageError.
 * - The process that had it was killed -> the lock is taken over.
 */
export async function lockOutput(output: string): Promise<() => Promise<void>> {
  const file = `${output}.lock`;
  const create = () => writeFile(file, String(process.pid), { flag: 'wx' });
  try {
    await create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(file, 'utf8'));
    if (holder !== process.pid && isRunning(holder)) {
      throw new UsageError(`Process ${holder} writes ${output}. Wait for its end. If it does not, delete ${file}.`);
    }
    await rm(file, { force: true });
    await create();
  }
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const deleteState = (output: string) => rm(stateFileOf(output), { force: true });

/** A hash of inputs in their order, which continues from an earlier one. */
export const extendHash = (hash: string, input: string): string =>
  createHash('sha256').update(`${hash}\n${input}`).digest('base64');
