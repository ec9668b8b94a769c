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
  /** Made at the first use, so that `--help` and `login` need no key. */
  client(): Promise<Client>;
  /** Prints a result: `text` for people, `value` as JSON with --json. */
  print(value: unknown, text: () => string): Promise<void>;
}

export interface Command {
  summary: string;
  /** Behind the name, in the help. Default: what commander says. */
  usage?: string;
  /** In the syntax of commander: `<NAME>` is required, `[NAME]` is not, `...` means several. None may be empty. */
  positionals?: string;
  /** The help by the flags, in the syntax of commander. */
  options?: Readonly<Record<string, string>>;
  examples: readonly string[];
  notes?: string;
  /** What a shell completes in the place of a positional. Default: nothing. */
  completes?: readonly string[] | 'files';
  /** Resolves to the exit code, if it is not 0. */
  run(call: Call): Promise<number | undefined>;
}
