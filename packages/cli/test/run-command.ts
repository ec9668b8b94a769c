import { PassThrough } from 'node:stream';
import { run } from '../src/run.ts';
import type { Terminal } from '../src/terminal.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command without a terminal, with its streams in memory. */
export async function runCommand(
  args: readonly string[],
  over: Partial<Terminal> & { input?: string } = {},
): Promise<Ran> {
  const { input = '', ...rest } = over;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const texts = [stdout, stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text;
  });
  const code = await run(args, {
    stdin,
    stdout,
    stderr,
    env: {},
    configFolder: '/nonexistent',
    interrupted: new AbortController().signal,
    nowMs: () => performance.now(),
    ask: () => Promise.reject(new Error('nobody answers')),
    openUrl: async () => undefined,
    ...rest,
  });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(texts);
  return { code, out, err };
}
