import { execFile } from 'node:child_process';

/** Runs a program to its end; resolves to its standard output, rejects with its last words. */
export function run(
  command: string,
  args: readonly string[],
  options: { timeoutMs: number; cwd?: string; signal?: AbortSignal | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      {
        timeout: options.timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
        ...(options.cwd && { cwd: options.cwd }),
        ...(options.signal && { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const lastWords = `${stdout}\n${stderr}`.trim().split('\n').slice(-3).join(' ');
        reject(new Error(lastWords || error.message, { cause: error }));
      },
    );
  });
}

/** True when the program can be run at all. */
export async function isInstalled(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, args, { timeoutMs: 15_000 }).then(
    () => true,
    () => false,
  );
}
