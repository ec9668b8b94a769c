import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { run } from '@shopscope/admin/run';
import { compileCache } from '@shopscope/local-stack';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

const main = join(import.meta.dirname, '../../../../../tools/admin/src/main.ts');

/** Runs the real program in its own process, as `npm run admin` does. */
export function startAdmin(args: readonly string[], env: Record<string, string>) {
  const nodeOptions = ['--conditions=@shopscope/source', '--disable-warning=TimeoutNegativeWarning'];
  return spawn(process.execPath, [...nodeOptions, main, ...args], {
    env: { ...compileCache, PATH: process.env.PATH ?? '', USER: 'tester', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the real program and waits for its end. */
export async function runProgram(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  const child = startAdmin(args, env);
  const read = async (stream: NodeJS.ReadableStream) => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Runs the command line in this process, because a separate process takes a second more. */
export async function runAdmin(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  const finished: Finished = { code: null, stdout: '', stderr: '' };
  finished.code = await run(args, {
    env: { USER: 'tester', ...env },
    print: (text) => {
      finished.stdout += text;
    },
    complain: (text) => {
      finished.stderr += text;
    },
  });
  return finished;
}
