import { resolve } from 'node:path';
import { killRecorded, LocalStackError } from '@shopscope/local-stack';
import { createFaultBench } from './fault-bench.ts';
import { scenarios } from './faults/index.ts';
import { faultSettings, UsageError } from './settings.ts';

// The fault bench. `npm run faults -- --help` lists the options.
const root = resolve(import.meta.dirname, '../../..');
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const settings = faultSettings(process.env, process.argv.slice(2));
  if (settings.list) {
    for (const { name, row } of scenarios) say(`${name.padEnd(28)} ${row}`);
  } else if (settings.report) {
    createFaultBench({ root, settings, say }).rewriteReport();
  } else {
    killSystemOnSignal(settings.stateDir);
    const bench = createFaultBench({ root, settings, say });
    const broken = settings.mutants ? await bench.runMutants() : await bench.runTable();
    process.exitCode = broken === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof UsageError || error instanceof LocalStackError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

/** Kills every process of the system, including suspended ones, when the bench gets SIGINT, SIGTERM or SIGHUP. */
function killSystemOnSignal(stateDir: string): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killRecorded(stateDir);
      process.kill(process.pid, signal);
    });
  }
}
