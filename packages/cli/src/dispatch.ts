import { parseArgs } from 'node:util';
import { nearest } from '@shopscope/lists/nearest';
import { type Call, type Command, commonOptions, toParseArgs } from './command.ts';
import { commands } from './commands/index.ts';
import { clientFor, credentialsOf } from './credentials.ts';
import { exitCodeOf, sentenceOf } from './errors.ts';
import { exitCodes, InterruptedError, UsageError } from './exit-codes.ts';
import { screenOf, type Terminal, write } from './terminal.ts';

/** Runs the command that the first argument names. Resolves to its exit code. Never rejects. */
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

async function runNamed([name = '', ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) {
    const meant = nearest(name, Object.keys(commands));
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`There is no command ${JSON.stringify(name)}.${question} \`shopscope --help\` lists them.`);
  }
  const command = (await found.load()).default;
  const { values, positionals } = parse(name, command, rest);
  if (values.help) return help(terminal, name, command);
  requirePositionals(name, command, positionals);
  const empty = Object.entries(values).find(([, value]) => value === '');
  if (empty) throw new UsageError(`--${empty[0]} is empty. \`shopscope ${name} --help\` shows the options.`);
  const json = values.json === true;
  const options = Object.fromEntries(
    Object.entries(values).map(([option, value]) => [option, value === undefined ? undefined : String(value)]),
  );
  const call: Call = {
    ...{ terminal, commands, positionals, options, json },
    client: async () => clientFor(terminal, await credentialsOf(terminal)),
    print: (value, text) => write(terminal.stdout, json ? `${JSON.stringify(value)}\n` : text()),
  };
  return command.run(call);
}

function requirePositionals(command: string, { positionals, usage, completes }: Command, given: string[]): void {
  const { min, max, name } = positionals;
  const usageSentence = `Usage: shopscope ${command} ${usage}`;
  if (given.length < min || given.length > max) throw new UsageError(usageSentence);
  // Empty variables of scripts. In the path of a request, dots would name another operation.
  const invalid = completes === 'files' ? [''] : ['', '.', '..'];
  const at = given.findIndex((text) => invalid.includes(text));
  if (at !== -1) throw new UsageError(`"${given[at]}" is no ${name} (argument ${at + 1}). ${usageSentence}`);
}

function parse(name: string, command: Command, args: string[]) {
  const options = toParseArgs({ ...command.options, ...commonOptions });
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. \`shopscope ${name} --help\` shows the options.`);
  }
}

async function help(terminal: Terminal, name: string, command: Command): Promise<number> {
  const all: NonNullable<Command['options']> = { ...command.options, ...commonOptions };
  const left = Object.entries(all).map(
    ([option, { short, value }]) => `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`,
  );
  const width = Math.max(...left.map(({ length }) => length));
  const options = Object.values(all).map(({ help }, at) => `  ${(left[at] ?? '').padEnd(width)}  ${help}\n`);
  const notes = command.notes ? `\n${command.notes}\n` : '';
  const examples = command.examples.map((example) => `  shopscope ${example}\n`);
  const usage = `shopscope ${name} ${command.usage}`.trim();
  const text = `${command.summary}\n\nUsage: ${usage}\n\n${options.join('')}${notes}\nExamples:\n${examples.join('')}`;
  await write(terminal.stdout, text);
  return exitCodes.ok;
}
