import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** What the commands of this package have in common. */
export class UsageError extends Error {}

/** The named arguments, and the others. */
export function argumentsOf<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The exit code of the command. A failure -> one sentence and 1; invalid arguments -> the usage, too, and 2. */
export async function runCommand(usage: string, command: () => number | Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n${usage}` : `${message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
