import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../errors.ts';
import { InvalidLineError, parseStoreLine, type Store } from './store-line.ts';

export interface CorpusFileOptions {
  path: string;
  /** Skips a line that is not a store and continues. Without it the reading ends with an error. */
  onInvalid?: ((line: number, problem: string) => void) | undefined;
  /** The part of the file that was read, from 0 to 1. */
  onRead?(share: number): void;
}

const chunkBytes = 262_144;
/** A store with thousands of observations fits. */
const maxLineBytes = 64 * 1_048_576;
const newline = 10;

/**
 * Yields the stores of an NDJSON file.
 *
 * - Memory: one chunk and one line.
 * - A line is invalid, too long or not UTF-8 -> `onInvalid`, or throws with the number of the line and the field.
 * - A line is empty -> it is ignored.
 */
export async function* readStores(options: CorpusFileOptions): AsyncGenerator<Store> {
  const { path, onInvalid, onRead } = options;
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  for await (const bytes of readLines(path, onRead)) {
    number += 1;
    try {
      if (bytes === undefined) throw new InvalidLineError(`is longer than ${maxLineBytes} bytes`);
      const text = decode(utf8, bytes);
      if (text.trim() !== '') yield parseStoreLine(text);
    } catch (error) {
      if (!(error instanceof InvalidLineError)) throw error;
      if (!onInvalid) throw new InvalidLineError(`line ${number}: ${error.message}`);
      onInvalid(number, error.message);
    }
  }
}

function decode(utf8: InstanceType<typeof TextDecoder>, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidLineError('is not UTF-8');
  }
}

/**
 * Yields the lines of a file without their ends, and undefined for a line that is too long. Throws CommandError if
 * there is no file.
 */
export async function* readLines(
  path: string,
  onRead: CorpusFileOptions['onRead'],
): AsyncGenerator<Buffer | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let parts: Buffer[] = [];
    let length = 0;
    let readBytes = 0;
    const finished = (last: Buffer) => {
      const line = length + last.length > maxLineBytes ? undefined : Buffer.concat([...parts, last]);
      parts = [];
      length = 0;
      return line;
    };
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        // A pipe has no size.
        onRead?.(size === 0 ? 1 : (readBytes + end + 1) / size);
        yield finished(chunk.subarray(start, end));
        start = end + 1;
      }
      readBytes += bytesRead;
      const rest = chunk.subarray(start);
      length += rest.length;
      // If a line is too long, only its length is kept.
      if (length > maxLineBytes) parts = [];
      // The next chunk overwrites this one.
      else if (rest.length > 0) parts.push(Buffer.from(rest));
    }
    onRead?.(1);
    if (length > 0) yield finished(Buffer.alloc(0));
  } catch (error) {
    throw unreadable(error, path);
  } finally {
    await file?.close();
  }
}

function unreadable(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CommandError(`There is no file ${path}.`);
  return code === 'EISDIR' ? new CommandError(`${path} is a folder.`) : error;
}

const bufferedCharacters = 1_048_576;

/** Creates a file that is either complete or does not exist: it is written under another name, then renamed. */
export async function createFile(path: string) {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w');
  let waiting: string[] = [];
  let characters = 0;
  const flush = async () => {
    const text = waiting.join('');
    waiting = [];
    characters = 0;
    await file.writeFile(text);
  };
  return {
    async write(text: string) {
      waiting.push(text);
      characters += text.length;
      if (characters >= bufferedCharacters) await flush();
    },
    /** Renames the file. Before this, no file has its name. */
    async commit() {
      await flush();
      await file.sync();
      await file.close();
      await rename(unfinished, path);
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(unfinished, { force: true });
    },
  };
}
