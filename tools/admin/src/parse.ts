import { parseArgs } from 'node:util';
import { nearest } from '@shopscope/lists/nearest';
import type { Command, Option } from './command.ts';
import { UsageError } from './errors.ts';

export interface Parsed {
  values: Record<string, string>;
  /** Given options without a value, such as `json`. */
  flags: ReadonlySet<string>;
  /** '' for a command without one. */
  operand: string;
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  actor: { value: 'NAME', help: 'who acts, for the audit log (default: operator: and your user name)' },
};
const commonFlags = ['json', 'help'] as const;

/** The command of the first words. Throws a UsageError with the typed words and the existing commands. */
export function findCommand(commands: readonly Command[], args: readonly string[]): Command {
  const typed = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  const found = commands.find(({ words }) => words === typed.slice(0, words.split(' ').length).join(' '));
  if (found) return found;
  const group = commands.filter(({ words }) => words.startsWith(`${typed[0]} `)).map(({ words }) => words);
  if (typed.length === 1 && group.length > 0) {
    throw new UsageError(`"${typed[0]}" needs one more word: one of ${group.join(', ')}`);
  }
  const all = commands.map(({ words }) => words);
  const near = nearest(typed.join(' '), all) ?? nearest(typed[0] ?? '', all);
  const hint = near ? `did you mean "${near}"?` : `there are ${(group.length > 0 ? group : all).join(', ')}`;
  throw new UsageError(`there is no command "${typed.join(' ')}"; ${hint}`);
}

/** Whether help is requested. Other options may be invalid then. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help';

/** The options of a command, without its words. Throws a UsageError for the first invalid option. */
export function parseOptions(command: Command, args: readonly string[]): Parsed {
  const options = { ...command.options, ...commonOptions };
  const known = [...Object.keys(options), ...commonFlags];
  const takesValue = (name: string) => options[name] !== undefined && options[name].value !== '';
  const { tokens } = parseArgs({
    args: args.slice(command.words.split(' ').length),
    options: Object.fromEntries(
      known.map((name) => [name, { type: takesValue(name) ? ('string' as const) : ('boolean' as const) }]),
    ),
    strict: false,
    tokens: true,
  });
  const values: Record<string, string> = {};
  const seen = new Set<string>();
  let operand = '';
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!command.operand || operand !== '') {
        throw new UsageError(`"${token.value}" is not an option of "${command.words}"`);
      }
      operand = token.value;
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!known.includes(name)) throw new UsageError(unknownOption(command, rawName, known));
    if (seen.has(name)) throw new UsageError(`--${name} is given twice`);
    seen.add(name);
    if (!takesValue(name)) {
      if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    } else if (!value || (!token.inlineValue && value.startsWith('--'))) {
      throw new UsageError(`--${name} needs a value`);
    } else values[name] = value;
  }
  for (const [name, option] of Object.entries(options)) {
    if (option.required && values[name] === undefined) throw new UsageError(`--${name} ${option.value} is required`);
  }
  if (command.operand && operand === '') throw new UsageError(`${command.operand.name} is required`);
  const flags = new Set([...seen].filter((name) => !takesValue(name)));
  return { values, flags, operand };
}

function unknownOption(command: Command, rawName: string, known: readonly string[]): string {
  const near = nearest(rawName.replace(/^-+/, ''), known);
  const hint = near ? `did you mean --${near}?` : `there are ${known.map((name) => `--${name}`).join(', ')}`;
  return `"${command.words}" has no option ${rawName}; ${hint}`;
}
