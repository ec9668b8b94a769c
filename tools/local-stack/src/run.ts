import { execFile } from 'node:child_process';

/** Runs a program to its end. Resolves to its standard output; rejects with its last lines. */
export function run(
  command: string,
  args: readonly string[],
  options: { timeoutMs: number; cwd?: string; abort?: AbortSignal | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      {
        timeout: options.timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
        ...(options.cwd && { cwd: options.cwd }),
        ...(options.abort && { signal: options.abort }),
      },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const lastLines = `${stdout}\n${stderr}`.trim().split('\n').slice(-3).join(' ');
        reject(new Error(lastLines || error.message, { cause: error }));
      },
    );
  });
}

/** True when the program can be started. */
export async function isInstalled(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, args, { timeoutMs: 15_000 }).then(
    () => true,
    () => false,
  );
}
