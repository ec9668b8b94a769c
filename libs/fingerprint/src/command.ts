import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** An error of the command-line arguments. */
export class UsageError extends Error {}

/** Returns the named arguments and the positional ones. */
export function argumentsOf<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Returns the exit code. A failure -> one sentence and code 1. Invalid arguments -> the sentence, the usage and code 2. */
export async function runCommand(usage: string, command: () => number | Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n${usage}` : `${message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
