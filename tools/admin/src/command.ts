import type { Services } from './connect.ts';
import type { Input } from './input.ts';
import type { Output } from './output/output.ts';

export interface Option {
  /** Placeholder of the value in the help; '' for a flag, which has no value. */
  value: string;
  help: string;
  required?: boolean;
}

/** One command of the operator program. It calls RPCs of the services. */
export interface Command {
  /** The words after `npm run admin --`. */
  words: string;
  summary: string;
  /** The argument without a name, which is required. */
  operand?: { name: string; help: string };
  options: Readonly<Record<string, Option>>;
  note?: string;
  run(services: Services, input: Input, console: Console): Promise<Output>;
}

/** How a long command reports its progress, and the signal that ends it. */
export interface Console {
  /** Writes to stderr. */
  report(text: string): void;
  /** Whether stderr is a terminal, and its width. */
  isTerminal: boolean;
  columns: number | undefined;
  /** Aborts at Ctrl-C, instead of the end of the process. */
  interruption(): AbortSignal;
}
