import { CommanderError } from 'commander';
import type { Call } from './command.ts';
import { CommandLine, lineOf, requirePositionals } from './command-line.ts';
import { commands } from './commands/index.ts';
import { clientFor, credentialsOf } from './credentials.ts';
import { exitCodeOf, sentenceOf } from './errors.ts';
import { exitCodes, InterruptedError } from './exit-codes.ts';
import { screenOf, type Terminal, write } from './terminal.ts';

/** Runs the command that the first word names. Resolves to its exit code. Never rejects. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runNamed(args, terminal);
  } catch (caught) {
    const error =
      terminal.interrupted.aborted && !(caught instanceof InterruptedError)
        ? new InterruptedError('Interrupted.')
        : caught;
    if (terminal.env.DEBUG) await write(terminal.stderr, `${(error as Error)?.stack ?? error}\n`);
    const { red } = screenOf(terminal.stderr, terminal.env);
    await write(terminal.stderr, `${red('shopscope:')} ${sentenceOf(error)}\n`);
    return exitCodeOf(error);
  }
}

async function runNamed(args: readonly string[], terminal: Terminal): Promise<number> {
  const named = args.find((arg) => !arg.startsWith('-')) ?? '';
  // Its help is the overview of run.ts.
  const program = new CommandLine('shopscope').helpOption(false);
  const result: { code: number; help: string } = { code: exitCodes.ok, help: '' };
  for (const [name, { load }] of Object.entries(commands)) {
    // The others are only names, for the suggestion after a typing error.
    if (name !== named) program.addCommand(new CommandLine(name));
    else {
      const command = (await load()).default;
      const line = lineOf(name, command, args);
      line.configureOutput({
        writeOut: (text) => (result.help += text),
        getOutHelpWidth: () => terminal.stdout.columns ?? Number.POSITIVE_INFINITY,
      });
      line.action(async () => {
        requirePositionals(line, command);
        result.code = (await command.run(callOf(line, terminal))) ?? exitCodes.ok;
      });
      program.addCommand(line);
    }
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    await write(terminal.stdout, result.help);
  }
  return result.code;
}

function callOf(line: CommandLine, terminal: Terminal): Call {
  const { json, ...given } = line.opts<Record<string, string | boolean>>();
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return {
    terminal,
    commands,
    positionals: line.args,
    options,
    json: json === true,
    screen: screenOf(terminal.stdout, terminal.env),
    client: async () => clientFor(terminal, await credentialsOf(terminal)),
    print: (value, text) => write(terminal.stdout, json ? `${JSON.stringify(value)}\n` : text()),
  };
}
