import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { UsageError } from '../exit-codes.ts';
import { type Terminal, write } from '../terminal.ts';
import { type State, stateFileOf, writeState } from './state.ts';

/** Where the rows of a run go: a file, or standard output. */
export interface Sink {
  write(text: string): Promise<void>;
  /** Gives what was written to the file. */
  flush(): Promise<void>;
  /** Makes what was written durable, then the state that says so. */
  keep(state: State): Promise<void>;
  close(): Promise<void>;
}

/** Throws UsageError if the output exists already, before anything is spent. */
export async function requireAbsent(output: string | undefined): Promise<void> {
  const found = output !== undefined && (await stat(output).catch(() => undefined));
  if (found) throw existing(output);
}

export const removeOutput = (output: string) => rm(output, { force: true });

const existing = (output: string) => new UsageError(`${output} exists. Delete it, or give another -o.`);

export async function openSink(
  terminal: Terminal,
  output: string | undefined,
  before: State | undefined,
): Promise<Sink> {
  if (output === undefined) {
    const nothing = async () => undefined;
    return { write: (text) => write(terminal.stdout, text), flush: nothing, keep: nothing, close: nothing };
  }
  let file: FileHandle;
  try {
    file = await open(output, before ? 'r+' : 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existing(output);
    if (code === 'ENOENT' && before)
      throw new UsageError(`${output} is missing. Delete ${stateFileOf(output)} to begin again.`);
    throw error;
  }
  // What follows the last kept row is of batches that are asked for again.
  if (before && (await file.stat()).size < before.outputBytes) {
    await file.close();
    throw new UsageError(`${output} is shorter than it was. Delete it and ${stateFileOf(output)} to begin again.`);
  }
  if (before) await file.truncate(before.outputBytes);
  let position = before?.outputBytes ?? 0;
  let lines: string[] = [];
  const flush = async () => {
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    // A write to a nearly full disk can be short: the next one then fails, and the position says what is in the file.
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position);
      at += bytesWritten;
      position += bytesWritten;
    }
  };
  return {
    async write(text) {
      lines.push(text);
    },
    flush,
    async keep(state) {
      await flush();
      await file.datasync();
      await writeState(output, { ...state, outputBytes: position });
    },
    async close() {
      await flush();
      await file.close();
    },
  };
}
