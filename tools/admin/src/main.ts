import { run } from './run.ts';

// A reader such as head may close the pipe early, which is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
}

/** A second Ctrl-C changes nothing: npm forwards the signal that the terminal has sent already. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  terminal: { isTerminal: process.stderr.isTTY ?? false, columns: process.stderr.columns },
  interruption,
});
