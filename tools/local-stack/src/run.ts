import { execFile } from 'node:child_process';

/** Runs a program to its end. Resolves to its standard output; rejects with the reason in its output. */
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
        reject(new Error(reasonIn(`${stdout}\n${stderr}`) || error.message, { cause: error }));
      },
    );
  });
}

/** The last lines of a program's output that report an error, otherwise its last lines. Frames of stacks are left out. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !/^\s+at /.test(line));
  const errors = lines.filter((line) => /\b(error|fatal|panic)\b|exception/i.test(line));
  const told = errors.length > 0 ? errors : lines;
  return told
    .slice(-3)
    .map((line) => line.slice(0, 500))
    .join(' | ');
}

export async function isInstalled(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, args, { timeoutMs: 15_000 }).then(
    () => true,
    () => false,
  );
}
