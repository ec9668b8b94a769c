import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { UsageError } from './exit-codes.ts';
import { run } from './run.ts';
import type { Terminal } from './terminal.ts';

/** The process around the commands: streams, signals, exit code. */

// Garbage of the answers of a long list would let the young generation grow, and the process to 250 MB. So it stays near 130 MB.
setFlagsFromString('--semi-space-growth-factor=1');
const { env, stdin, stdout, stderr } = process;
const interruption = new AbortController();

// The reader of a pipe may close it early (`| head`), which is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  stderr.write(`shopscope: The output could not be written: ${error.message}\n`, () => process.exit(1));
});
stderr.on('error', () => undefined);

let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    signals += 1;
    interruption.abort(new Error('interrupted'));
    // The person does not want to wait for what the first signal keeps.
    if (signals > 1) process.exit(130);
  });
}

const terminal: Terminal = {
  ...{ stdin, stdout, stderr, env },
  configFolder: join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'shopscope'),
  interrupted: interruption.signal,
  nowMs: () => performance.now(),

  ask(question, { secret = false } = {}) {
    if (!stdin.isTTY || !stderr.isTTY)
      throw new UsageError(`This asks ${JSON.stringify(question.trim())} on a terminal, and there is none.`);
    return new Promise((resolve, reject) => {
      // The question is written here, so nothing of the answer is echoed.
      stderr.write(question);
      const output = secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
      const lines = createInterface({ input: stdin, output, terminal: true });
      const abort = () => lines.close();
      interruption.signal.addEventListener('abort', abort, { once: true });
      let answer: string | undefined;
      lines.on('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.on('SIGINT', () => interruption.abort(new Error('interrupted')));
      lines.on('close', () => {
        interruption.signal.removeEventListener('abort', abort);
        if (secret) stderr.write('\n');
        if (answer === undefined) reject(new UsageError('There was no answer.'));
        else resolve(answer);
      });
    });
  },

  openUrl(url) {
    const [command, ...args] =
      process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer'] : ['xdg-open'];
    const child = spawn(command as string, [...args, url], { stdio: 'ignore', detached: true });
    // The address is printed too, so a machine without a browser is no error.
    child.on('error', () => undefined);
    child.unref();
  },
};

process.exitCode = await run(process.argv.slice(2), terminal);
