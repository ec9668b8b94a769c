import type { Readable, Writable } from 'node:stream';

/** The surroundings of a command. Tests give their own. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  /** Folder of the settings of the person, which holds the credentials. */
  configFolder: string;
  /** Aborts when the person ends the command. */
  interrupted: AbortSignal;
  nowMs(): number;
  /** Asks a question on the terminal. `secret`: the answer is not shown. Rejects with UsageError without a terminal. */
  ask(question: string, options?: { secret?: boolean }): Promise<string>;
  openUrl(url: string): Promise<void>;
}

export interface Screen {
  /** Undefined if the output is not a terminal. Then nothing is cut. */
  columns: number | undefined;
  bold(text: string): string;
  red(text: string): string;
}

/** Colours are for terminals, and NO_COLOR (https://no-color.org) takes them away. */
export function screenOf(stream: Terminal['stdout'], { NO_COLOR, TERM }: Terminal['env']): Screen {
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
  const style = (code: number) => (text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { columns: stream.isTTY ? stream.columns : undefined, bold: style(1), red: style(31) };
}

/** Writes and waits while the reader is slower. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (text === '' || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.once(event, done);
  });
}
