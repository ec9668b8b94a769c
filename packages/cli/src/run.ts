import { parseArgs } from 'node:util';
import { version } from '@shopscope/client';
import { type Call, type Command, commonOptions, toParseArgs } from './command.ts';
import { commands } from './commands/index.ts';
import { clientFor, credentialsOf } from './credentials.ts';
import { exitCodeOf, exitCodes, InterruptedError, sentenceOf, UsageError } from './exit-codes.ts';
import { nearest } from './nearest.ts';
import { screenOf, type Terminal, write } from './terminal.ts';

/** Runs one command. Resolves to its exit code. Never rejects: an error is a sentence on standard error. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
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

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    const about = rest[0] && commands[rest[0]];
    if (about && rest[0]) return help(terminal, rest[0], (await about.load()).default);
    await write(terminal.stdout, overview());
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (name === '--version' || name === '-v') {
    await write(terminal.stdout, `${version}\n`);
    return exitCodes.ok;
  }
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) {
    const meant = nearest(name, Object.keys(commands));
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`There is no command ${JSON.stringify(name)}.${question} \`shopscope --help\` lists them.`);
  }
  const command = (await found.load()).default;
  const { values, positionals } = parse(name, command, rest);
  if (values.help) return help(terminal, name, command);
  const { min, max } = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(`Usage: shopscope ${name} ${command.usage}`);
  }
  const json = values.json === true;
  const options = Object.fromEntries(
    Object.entries(values).map(([option, value]) => [option, value === undefined ? undefined : String(value)]),
  );
  const call: Call = {
    ...{ terminal, commands, positionals, options, json },
    client: async () => clientFor(await credentialsOf(terminal)),
    print: (value, text) => write(terminal.stdout, json ? `${JSON.stringify(value)}\n` : text()),
  };
  return command.run(call);
}

function parse(name: string, command: Command, args: string[]) {
  const options = toParseArgs({ ...command.options, ...commonOptions });
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. \`shopscope ${name} --help\` shows the options.`);
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `The Shopscope API from a terminal.

Usage: shopscope COMMAND [--json] [--help]

${lines.join('')}
\`shopscope COMMAND --help\` shows the options of a command, what it costs, and examples.

First use:
  shopscope login
  shopscope lookup northwind-tea.example

SHOPSCOPE_API_KEY and SHOPSCOPE_BASE_URL count more than what login stored.

Exit codes: 0 done, 1 unexpected, 2 called wrongly, 3 key or scope, 4 unknown to the service, 5 allowance spent, 6 try again later, 130 interrupted.
`;
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
