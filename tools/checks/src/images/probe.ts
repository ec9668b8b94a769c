import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Image } from './replay.ts';

/** The program of an image as Docker would run it: entry point, environment and folder of the image, nothing else. */
export function commandOf(image: Image, entrypoint: readonly string[] = image.entrypoint) {
  const [program = '', ...args] = entrypoint;
  if (program !== 'node')
    throw new Error(`the entry point is ${program}, not node, so SIGTERM may not reach the program`);
  return { program: process.execPath, args, cwd: join(image.root, image.workingDirectory), env: { ...image.env } };
}

export interface Outcome {
  code: number | null;
  output: string;
}

const timeoutMs = 30_000;

export function runImage(image: Image, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const command = commandOf(image);
  return new Promise((done) => {
    const options = { cwd: command.cwd, env: { ...command.env, ...env }, timeout: timeoutMs };
    execFile(command.program, [...command.args, ...args], options, (error, stdout, stderr) => {
      done({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, output: stdout + stderr });
    });
  });
}

/** Starts the program of an image, waits for its first line, sends SIGTERM. */
export function startAndStop(image: Image, env: Record<string, string>): Promise<Outcome> {
  const command = commandOf(image);
  return new Promise((done) => {
    const child = spawn(command.program, command.args, { cwd: command.cwd, env: { ...command.env, ...env } });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let output = '';
    child.stdout.once('data', () => child.kill('SIGTERM'));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('exit', (code) => {
      clearTimeout(timer);
      done({ code, output });
    });
  });
}

/** Runs the package of an image as far as possible without data servers. Resolves to its problems. */
export async function probe(folder: string, image: Image, env: Record<string, string>): Promise<string[]> {
  const found = modulesAbove(image.root);
  if (found) return [`cannot be probed: programs in ${image.root} would find ${found}`];
  if (image.user === undefined || image.user === 'root' || image.user === '0') return ['runs as root'];
  const [how, outcome, expected] = folder.startsWith('services/')
    ? ['--validate', await runImage(image, ['--validate'], env), /the configuration is valid/]
    : folder.startsWith('tools/') && !listensAlone.has(folder)
      ? ['--help', await runImage(image, ['--help'], env), /\bcommands?\b/i]
      : ['start and SIGTERM', await startAndStop(image, { HOST: '127.0.0.1', PORT: '0' }), /./];
  return outcome.code === 0 && expected.test(outcome.output)
    ? []
    : [`${how}: exit code ${outcome.code}\n${outcome.output.trim()}`];
}

/** Servers that need no other server. The probe starts them. */
const listensAlone = new Set(['tools/demo-stores']);

/** Node searches for packages in every folder above a program. */
function modulesAbove(folder: string): string | undefined {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const modules = join(above, 'node_modules');
    if (existsSync(modules)) return modules;
  }
  return undefined;
}
