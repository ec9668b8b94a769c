import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../exit-codes.ts';

/** What a run needs to continue: a file beside its output. */
export interface State {
  version: 1;
  /** Part of each Idempotency-Key, so that batches in flight at the end of the run before are replayed and bill nothing. */
  run: string;
  /** The first request of the run. Keys count for 24 hours. */
  startedAt: string;
  batchSize: number;
  refresh: boolean;
  wait: boolean;
  /** Rows whose results are in the output, a whole number of batches. */
  rows: number;
  outputBytes: number;
  /** Of the inputs of these rows, in their order. */
  inputHash: string;
  units: { lookup_cached: number; lookup_live: number };
  matches: Record<string, number>;
}

export const stateFileOf = (output: string) => `${output}.state.json`;

export async function readState(output: string): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(stateFileOf(output), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const state = JSON.parse(text) as State;
    if (state.version === 1) return state;
  } catch {
    // The message is the same.
  }
  throw new UsageError(`${stateFileOf(output)} cannot be read. Delete it and ${output} to begin again.`);
}

/** The file is complete or as it was. */
export async function writeState(output: string, state: State): Promise<void> {
  const draft = `${stateFileOf(output)}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(state)}\n`);
    await rename(draft, stateFileOf(output));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export const deleteState = (output: string) => rm(stateFileOf(output), { force: true });

/** A hash of inputs in their order, which continues from an earlier one. */
export const extendHash = (hash: string, input: string): string =>
  createHash('sha256').update(`${hash}\n${input}`).digest('base64');
