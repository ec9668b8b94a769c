import { Option as LineOption } from 'commander';
import type { Command, Option } from './command.ts';
import { CommandLine } from './command-line.ts';
import { UsageError } from './errors.ts';
import type { Values } from './input.ts';

export interface Parsed {
  command: Command;
  values: Values;
  /** '' for a command without one. */
  operand: string;
}

interface Streams {
  print(text: string): void;
  complain(text: string): void;
}

const commonOptions: Readonly<Record<string, Option>> = {
  actor: { value: 'NAME', help: 'who acts, for the audit log (default: operator: and your user name)' },
  json: { value: '', help: 'JSON output' },
};

/** The command of the first words, of which a command has one or two. */
export function findCommand(commands: readonly Command[], args: readonly string[]): Command | undefined {
  return commands.find(({ words }) => words === args.slice(0, words.split(' ').length).join(' '));
}

/** Throws a UsageError for the first fault, and a CommanderError after it printed the help. */
export function parse(commands: readonly Command[], args: readonly string[], streams: Streams): Parsed {
  const typed = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  const isNamed = typed[0] !== undefined && typed[0] === args[0];
  const parsed: Parsed[] = [];
  const program = new CommandLine('npm run admin --')
    .configureOutput({
      writeOut: streams.print,
      writeErr: streams.complain,
      getOutHelpWidth: () => Number.POSITIVE_INFINITY,
      getErrHelpWidth: () => Number.POSITIVE_INFINITY,
    })
    .configureHelp({ subcommandTerm: (line) => line.name() })
    // Help of an unknown command is a fault.
    .helpOption(!isNamed)
    .helpCommand(false)
    .usage('COMMAND [options]')
    .addHelpText('after', programNotes);
  for (const command of commands) {
    const line = lineOf(command, args).copyInheritedSettings(program).helpOption(true);
    program.addCommand(line.action(() => void parsed.push(parsedOf(command, line))));
  }
  // Commander takes the words of a command as one name, so that its suggestion is a whole command.
  const words = findCommand(commands, args)?.words ?? typed.join(' ');
  program.parse(isNamed ? [words, ...args.slice(words.split(' ').length)] : args, { from: 'user' });
  return parsed[0] as Parsed;
}

function lineOf(command: Command, args: readonly string[]) {
  const { words, summary, note, operand } = command;
  const line = new CommandLine(words);
  if (operand) line.argument(`<${operand.name}>`, operand.help);
  for (const [name, { value, help }] of Object.entries({ ...command.options, ...commonOptions })) {
    const option = new LineOption(`--${name}${value && ` <${value}>`}`, help);
    if (value) option.argParser((text: string, before: unknown) => requireValue(name, text, before, args));
    line.addOption(option);
  }
  const synopsis = Object.entries(command.options).map(([name, { value, required }]) => {
    const text = `--${name} ${value}`.trimEnd();
    return required ? text : `[${text}]`;
  });
  return line
    .summary(summary)
    .description(`${summary}${note ? `. ${note}` : ''}.`)
    .usage([...(operand ? [operand.name] : []), ...synopsis].join(' '));
}

function requireValue(name: string, text: string, before: unknown, args: readonly string[]): string {
  if (before !== undefined) throw new UsageError(`--${name} is given twice`);
  const isNextOption = text.startsWith('--') && args.includes(text);
  if (text === '' || isNextOption) throw new UsageError(`--${name} needs a value`);
  return text;
}

function parsedOf(command: Command, line: CommandLine): Parsed {
  const values = Object.fromEntries(
    line.options.map((option) => [option.name(), line.getOptionValue(option.attributeName())]),
  );
  // Commander would complain of a missing option before an unknown one, which may be it with a typing error.
  for (const [name, { value, required }] of Object.entries(command.options))
    if (required && values[name] === undefined) throw new UsageError(`--${name} ${value} is required`);
  const [operand = ''] = line.args;
  if (command.operand && operand === '') throw new UsageError(`${command.operand.name} is required`);
  return { command, values, operand };
}

const programNotes = `
npm run admin -- COMMAND --help shows the options of one command. --json prints one JSON document with the API's names;
npm run --silent omits the line that npm prints before it.
The services are those of the system that npm start runs, unless KEYS_ADDRESS, METERING_ADDRESS, DASHBOARD_ADDRESS,
PROFILES_ADDRESS and SCAN_SCHEDULER_ADDRESS (host:port) are set. Then GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are the files of
the operator certificate.
Exit codes: 0 success, 1 refused or failed, 2 invalid command line, 130 interrupted.`;
