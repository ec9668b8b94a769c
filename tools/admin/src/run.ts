import { ConfigError } from '@shopscope/config';
import { AppError } from '@shopscope/errors';
import { escapedLines } from '@shopscope/text';
import { CommanderError } from 'commander';
import type { Console } from './command.ts';
import { commands } from './commands/index.ts';
import { type Connections, connect, type ServiceName } from './connect.ts';
import { UsageError } from './errors.ts';
import { inputOf } from './input.ts';
import { jsonOf } from './output/output.ts';
import { findCommand, parse } from './program.ts';

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  complain(text: string): void;
  /** The terminal behind `complain`; default: none. */
  terminal?: Pick<Console, 'isTerminal' | 'columns'>;
  /** See {@link Console.interruption}; default: never. */
  interruption?: Console['interruption'];
}

const done = 0;
const failed = 1;
const wrongCommandLine = 2;
const interrupted = 130;

/** Runs one command line. Resolves with the exit code. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, print, complain, terminal, interruption = () => new AbortController().signal } = surroundings;
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  try {
    const { command, values, operand } = parse(commands, words, { print, complain });
    const console: Console = { report: complain, isTerminal: false, columns: undefined, ...terminal, interruption };
    const connections = connect(env);
    try {
      const output = await command.run(connections.services, inputOf(values, undefined, operand), console);
      print(values.json ? jsonOf(output) : output.text);
      if (output.interrupted) return interrupted;
      return output.failed ? failed : done;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      complain(`${escapedLines(sentenceOf(error, connections))}\n`);
      return failed;
    } finally {
      connections.close();
    }
  } catch (error) {
    // The help was printed: as an error without any word.
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongCommandLine;
    if (!(error instanceof UsageError)) throw error;
    const command = findCommand(commands, words);
    const help = command ? `${command.words} --help shows its options` : '--help lists the commands';
    complain(`${escapedLines(error.message)}\nnpm run admin -- ${help}.\n`);
    return wrongCommandLine;
  }
}

const permissionDenied = 7;
const unimplemented = 12;

/** One sentence without a stack trace. */
function sentenceOf(error: unknown, connections: Connections): string {
  if (error instanceof ConfigError) return error.problems.join('\n');
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const [, name] = /^\/shopscope\.(keys|metering|dashboard|profiles|scans)\./.exec(error.internal ?? '') ?? [];
  if (!name) return `${error.code}: ${error.publicMessage}`;
  const service = name === 'scans' ? 'scan-scheduler' : (name as ServiceName);
  const status = (error.cause as { code?: unknown } | undefined)?.code;
  if (status === permissionDenied)
    return `${service} refuses this certificate, because it is not an operator certificate.`;
  if (status === unimplemented) return `${service} does not know this command: it is older than this program.`;
  if (error.code !== 'unavailable') return `${error.code}: ${service}: ${error.publicMessage}`;
  const where = `${service} does not answer at ${connections.addressOf(service)}`;
  return `${where}: check that it runs, its address, and GRPC_TLS_*_FILE when the services use TLS.`;
}
