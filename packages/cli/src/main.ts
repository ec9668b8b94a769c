import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { UsageError } from './exit-codes.ts';
import { run } from './run.ts';
import type { Terminal } from './terminal.ts';

/**
 * The process around the commands: streams, signals, exit code. What `--help` does not need is loaded at its first use, because
 * `npx` alone takes most of the time that a person waits.
 */

// Garbage of the answers of a long list would let the young generation grow, and the process to 250 MB. So it stays near 140 MB.
// Set by the command, after the client is loaded, it stays above 150.
setFlagsFromString('--semi-space-growth-factor=1');
const { env, stdout, stderr } = process;
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
  stdout,
  stderr,
  env,
  get stdin() {
    return process.stdin;
  },
  configFolder: join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'shopscope'),
  interrupted: interruption.signal,
  nowMs: () => performance.now(),

  async ask(question, { secret = false } = {}) {
    const { stdin } = process;
    if (!stdin.isTTY || !stderr.isTTY)
      throw new UsageError(`This asks ${JSON.stringify(question.trim())} on a terminal, and there is none.`);
    const [{ createInterface }, { Writable }] = await Promise.all([import('node:readline'), import('node:stream')]);
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

  async openUrl(url) {
    const { spawn } = await import('node:child_process');
    const [command, ...args] =
      process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer'] : ['xdg-open'];
    const child = spawn(command as string, [...args, url], { stdio: 'ignore', detached: true });
    // The address is printed too, so a machine without a browser is no error.
    child.on('error', () => undefined);
    child.unref();
  },
};

process.exitCode = await run(process.argv.slice(2), terminal);
