import { once } from 'node:events';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { escapedJson } from '@shopscope/text';
import { argumentsOf, runCommand, UsageError } from './command.ts';
import { readUrl } from './read-url.ts';

/**
 * Runs the detection engine on saved pages, without network.
 *
 * - One page -> one indented JSON document.
 * - --jsonl -> one output line per input line, in order. Memory: one line at a time.
 * - A page is not a store's own page -> `{"url", "error": {"code", "message"}}` instead of its profile.
 * - A line cannot be read -> the same with the code invalid_line, and with `"line"`. The other lines are processed. Exit code 1.
 * - A file cannot be read -> one sentence before any output. Exit code 1.
 * - Invalid arguments -> the usage. Exit code 2.
 * - The reader closes the output -> the command ends.
 *
 * The rules are loaded with the first page, because that takes most of the time of a short run.
 */
const usage = `Commands:
  npm run --silent observe -- PAGE.html [--url https://shop.example/]   one saved page: JSON, indented
  npm run --silent observe -- --jsonl [FILE …]                          one JSON document per line, of standard input without FILE
Each line: {"url": "https://…", "status": 200, "headers": {…}, "body": "<html>…"}. Status and headers are optional, url may be null.
Exit code 1: a line or a file could not be read.
`;

interface Request {
  files: string[];
  jsonl: boolean;
  url: string | null;
}

async function main(args: string[]): Promise<number> {
  const asked = read(args);
  if (asked === 'help') {
    await print(usage);
    return 0;
  }
  for (const file of asked.files) needFile(file);
  return asked.jsonl ? await observeLines(asked.files) : await observeFile(asked.files[0] as string, asked.url);
}

const options = {
  jsonl: { type: 'boolean', default: false },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function read(args: string[]): Request | 'help' {
  const { values, positionals: files } = argumentsOf(args, options);
  if (values.help) return 'help';
  const { jsonl, url } = values;
  if (jsonl && url !== undefined)
    throw new UsageError('--url belongs to one page; with --jsonl each line has its own.');
  if (!jsonl && files.length !== 1) {
    throw new UsageError(files.length === 0 ? 'A page is missing.' : 'Several pages need --jsonl.');
  }
  try {
    return { files, jsonl, url: readUrl(url) };
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}.`);
  }
}

function needFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file ${file}.`);
  if (found.isDirectory()) throw new Error(`${file} is a folder, not a file.`);
}

async function observeFile(file: string, url: string | null): Promise<number> {
  const { decodeBody } = await import('./decode-page.ts');
  const { writeLook } = await import('./observe-line.ts');
  const { lookAtPage } = await import('./observe-store.ts');
  const { text: html, isSure } = decodeBody(readFileSync(file), undefined);
  const look = lookAtPage({ url: url ?? '', status: 200, headers: {}, html, isTextUnsure: !isSure });
  await print(`${JSON.stringify(writeLook(url, look), null, 2)}\n`);
  return 0;
}

async function observeLines(files: readonly string[]): Promise<number> {
  const { observeLine } = await import('./observe-line.ts');
  let failed = 0;
  const inputs = files.length > 0 ? files : [undefined];
  for (const file of inputs) {
    const input: Readable = file === undefined ? process.stdin : createReadStream(file);
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (line.trim() === '') continue;
      const answer = observeLine(line, number);
      if (!answer.ok) failed++;
      await print(`${answer.text}\n`);
    }
  }
  return failed > 0 ? 1 : 0;
}

/** Waits until the output accepts more data, so that a slow reader does not fill the memory. */
async function print(text: string): Promise<void> {
  // Pages may contain text that controls a terminal.
  if (!process.stdout.write(escapedJson(text))) await once(process.stdout, 'drain');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // The reader of a pipe may close it early (`| head`). This is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await runCommand(usage, () => main(process.argv.slice(2)));
}
