import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { observeLine } from './observe-line.ts';

/**
 * `observe --jsonl`: pages as JSON lines on stdin, observations as JSON lines on stdout, in order, one at a time: memory
 * stays that of the longest line, and reading waits for whoever reads the output. A line that cannot be read is answered
 * with `{"error", "line"}` and the rest goes on. No network, no files.
 */
const usage = `usage: observe --jsonl < pages.jsonl > observations.jsonl
each line: {"url": "https://…", "status": 200, "headers": {…}, "body": "<html>…"}   (status and headers are optional)
`;

async function main(): Promise<void> {
  const { stdin, stdout } = process;
  // The reader of a pipe may leave early (`| head`); that ends the work, it is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let number = 0;
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    if (!stdout.write(`${observeLine(line, number)}\n`)) await once(stdout, 'drain');
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--jsonl')) await main();
  else {
    process.stderr.write(usage);
    process.exitCode = 2;
  }
}
