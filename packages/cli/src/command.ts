import type { Client } from '@shopscope/client';
import type { Screen, Terminal } from './terminal.ts';

/** The commands by name. Each is loaded when it runs, so that `--help` is fast. */
export type Commands = Readonly<Record<string, { summary: string; load(): Promise<{ default: Command }> }>>;

export interface Call {
  terminal: Terminal;
  commands: Commands;
  positionals: readonly string[];
  /** Values of options, by their names in camel case. An option without a value is 'true'. */
  options: Readonly<Record<string, string | undefined>>;
  json: boolean;
  screen: Screen;
  /** Creates the client at the first call, so that `--help` and `login` need no key. */
  client(): Promise<Client>;
  /** Prints a result: `text` for people, `value` as JSON with --json. */
  print(value: unknown, text: () => string): Promise<void>;
}

export interface Command {
  summary: string;
  /** The text after the name of the command in the help. Default: the text of commander. */
  usage?: string;
  /** The positionals in the syntax of commander: `<NAME>` is required, `[NAME]` is optional, `...` means several. No value may be empty. */
  positionals?: string;
  /** The help text of each option. A key has the flags in the syntax of commander. */
  options?: Readonly<Record<string, string>>;
  /** The options that may be given several times, by their names in camel case. Their values become lines of one text. */
  repeatable?: readonly string[];
  examples: readonly string[];
  notes?: string;
  /** The words that a shell offers for a positional. Default: none. */
  completes?: readonly string[] | 'files';
  /** Resolves to the exit code, if it is not 0. */
  run(call: Call): Promise<number | undefined>;
}
