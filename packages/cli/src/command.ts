import type { ParseArgsOptionsConfig } from 'node:util';
import type { Client } from '@shopscope/client';
import type { Terminal } from './terminal.ts';

export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  /** The placeholder of the value in the help. */
  value?: string;
  help: string;
}

/** The commands by name. Each is loaded when it runs, so that `--help` is fast. */
export type Commands = Readonly<Record<string, { summary: string; load(): Promise<{ default: Command }> }>>;

export interface Call {
  terminal: Terminal;
  commands: Commands;
  positionals: string[];
  /** Values of options. A boolean option is 'true'. */
  options: Readonly<Record<string, string | undefined>>;
  json: boolean;
  /** Made at the first use, so that `--help` and `login` need no key. */
  client(): Promise<Client>;
  /** Prints a result: `text` for people, `value` as JSON with --json. */
  print(value: unknown, text: () => string): Promise<void>;
}

export interface Command {
  summary: string;
  /** Behind the name. */
  usage: string;
  options?: Readonly<Record<string, Option>>;
  examples: readonly string[];
  /** Further sentences of the help. */
  notes?: string;
  /** `name`: what each of them is. None of them may be empty. */
  positionals: { min: 0; max: 0; name?: never } | { min: number; max: number; name: string };
  /** What a shell completes in the place of a positional. Default: nothing. */
  completes?: readonly string[] | 'files';
  /** Resolves to the exit code. */
  run(call: Call): Promise<number>;
}

/** Options of every command. */
export const commonOptions = {
  json: { type: 'boolean', help: 'print JSON' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
} as const satisfies Record<string, Option>;

export const toParseArgs = (options: Command['options'] = {}): ParseArgsOptionsConfig =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short !== undefined && { short }) }]),
  );
