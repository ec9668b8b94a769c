import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Takes the standard output. A program that ends itself loses what it has not yet written to a pipe. */
  outputFile?: string;
  /** Kills the program. The run then fails. */
  kill?: AbortSignal;
}

const maxOutput = 50_000_000;
const shownOutput = 3_000;

/** Runs a program to its end. Resolves to its standard output, and rejects with the end of its output if it fails. */
export function runToEnd(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { cwd, env, timeoutMs, kill, outputFile } = options;
  const output = outputFile === undefined ? 'pipe' : openSync(outputFile, 'w');
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', output, 'pipe'],
    signal: kill,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  if (typeof output === 'number') closeSync(output);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout = (stdout + chunk).slice(-maxOutput)));
  child.stderr?.on('data', (chunk) => (stderr = (stderr + chunk).slice(-maxOutput)));
  return new Promise((resolve, reject) => {
    // With `kill`, the error comes before the end of the process.
    child.on('error', (error) => child.pid === undefined && reject(error));
    child.once('close', (code, signal) => {
      if (outputFile !== undefined) stdout = readFileSync(outputFile, 'utf8');
      if (code === 0) return resolve(stdout);
      const said = `${stdout}\n${stderr}`.trim().slice(-shownOutput);
      reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}:\n${said}`));
    });
  });
}
