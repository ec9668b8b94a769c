import * as commander from 'commander';
import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';

/** A command line of commander. What is wrong with it is a UsageError that says what to do. */
export class CommandLine extends commander.Command {
  constructor(name: string) {
    super(name);
    this.exitOverride();
  }

  override help(): never {
    throw new UsageError(`A command is missing. ${pointerOf(this)}`);
  }

  override error(message: string, { code }: commander.ErrorOptions = {}): never {
    const [, problem = '', meant] = /^error: (.*?)\.?(?:\n\((.*)\))?$/s.exec(message) ?? [];
    const hint = meant === undefined ? '' : ` ${meant}`;
    if (code === 'commander.unknownCommand')
      throw new UsageError(
        `There is no command ${JSON.stringify(this.args[0])}.${hint} \`shopscope --help\` lists them.`,
      );
    const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.${hint}`;
    const isCount = code === 'commander.missingArgument' || code === 'commander.excessArguments';
    throw new UsageError(`${sentence} ${isCount ? usageOf(this) : pointerOf(this)}`);
  }
}

/** The line of a command. `args`: the words of the person. */
export function lineOf(name: string, command: Command, args: readonly string[]): CommandLine {
  const line = new CommandLine(name).description(command.summary) as CommandLine;
  if (command.usage) line.usage(command.usage);
  if (command.positionals) line.arguments(command.positionals);
  for (const [flags, help] of Object.entries(command.options ?? {})) {
    const option = new commander.Option(flags, help);
    const isRepeatable = command.repeatable?.includes(option.attributeName());
    if (option.required) {
      option.argParser((value: string, before: string | undefined) => {
        const given = requireValue(line, option, value, args);
        return isRepeatable && before !== undefined ? `${before}\n${given}` : given;
      });
    }
    line.addOption(option);
  }
  line.option('--json', 'print JSON').helpOption('-h, --help', 'show this help');
  const notes = command.notes ? `\n${command.notes}\n` : '';
  const examples = command.examples.map((example) => `  shopscope ${example}\n`);
  return line.addHelpText('after', `${notes}\nExamples:\n${examples.join('').trimEnd()}`) as CommandLine;
}

/** Refuses the empty variable of a script, and the next option in the place of a value. A value such as -product_count is no option. */
function requireValue(line: CommandLine, option: commander.Option, value: string, args: readonly string[]): string {
  const isNextOption = /^-(?:-.|.$)/.test(value) && args.includes(value);
  if (value !== '' && !isNextOption) return value;
  throw new UsageError(`--${option.name()} ${value === '' ? 'is empty' : 'needs a value'}. ${pointerOf(line)}`);
}

/** Refuses the empty variable of a script. In the path of a request, dots would name another operation. */
export function requirePositionals(line: CommandLine, { completes }: Command): void {
  const invalid = completes === 'files' ? [''] : ['', '.', '..'];
  const at = line.args.findIndex((text) => invalid.includes(text));
  if (at === -1) return;
  const { registeredArguments: expected } = line;
  const name = (expected[at] ?? expected.at(-1))?.name();
  throw new UsageError(`"${line.args[at]}" is no ${name} (argument ${at + 1}). ${usageOf(line)}`);
}

const pointerOf = (line: CommandLine): string =>
  line.parent ? `\`shopscope ${line.name()} --help\` shows the options.` : '`shopscope --help` lists the commands.';

const usageOf = (line: CommandLine): string => `Usage: shopscope ${line.name()} ${line.usage()}`;
