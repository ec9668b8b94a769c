import type { Client } from '@shopscope/client';
import type { Call } from '../command.ts';
import { exitCodes, InterruptedError, UsageError } from '../exit-codes.ts';
import { jobText } from '../job-rows.ts';
import { counted, pairs } from '../table.ts';
import { write } from '../terminal.ts';
import { waitWithProgress } from '../wait-with-progress.ts';
import { confirmUnits, maxUnitsOf } from './confirm.ts';
import { writeResults } from './job-results.ts';
import { type Job, readListState, startOrContinue } from './list-job.ts';
import { removeOutput, requireAbsent } from './sink.ts';
import { deleteState, type ListState } from './state.ts';

/**
 * Enriches a list as a job of the service. The quote is asked for first, so that nothing above --max-units is spent unasked. With -o, a
 * run that ended early is continued: its job is waited for, and no further one is started.
 */
export async function enrichList(call: Call, listId: string): Promise<number> {
  const { terminal, options, positionals, print } = call;
  const { output } = options;
  if (positionals.length > 0 || options.column !== undefined)
    throw new UsageError('--list takes neither a FILE nor --column.');
  if (output !== undefined && !options.wait) throw new UsageError('With --list, -o needs --wait.');
  const [refresh, yes] = [Boolean(options.refresh), Boolean(options.yes)];
  const maxUnits = maxUnitsOf(options.maxUnits);
  const before = output === undefined ? undefined : await readListState(output, { list: listId, refresh });
  if (!before) await requireAbsent(output);
  const client = await call.client();
  const signal = terminal.interrupted;
  const quote = () => client.quoteListEnrich(listId, { refresh }, { signal });
  if (options.dryRun) {
    const quoted = await quote();
    await print(quoted, () => quoteText(quoted));
    return exitCodes.ok;
  }
  const newRun = async (): Promise<ListState> => {
    const units = Object.values((await quote()).quote).reduce((sum, each) => sum + each, 0);
    if (units > maxUnits && !yes) await confirmUnits(terminal, units);
    const startedAt = new Date().toISOString();
    const key = crypto.randomUUID();
    return { version: 1, list: listId, refresh, maxUnits: Math.max(units, maxUnits), key, startedAt };
  };
  const job = await startOrContinue(call, client, before ?? (await newRun()), before !== undefined);
  if (options.wait) return writeWhenEnded(call, client, job);
  await print(job, () => jobText(job));
  return exitCodes.ok;
}

/** Waits for the job, and writes its results. The state of the run remains until they are complete. */
async function writeWhenEnded(call: Call, client: Client, { id }: Job): Promise<number> {
  const { terminal, options } = call;
  const { output } = options;
  const signal = terminal.interrupted;
  try {
    const job = await waitWithProgress(call, client, id);
    // An earlier run may have written a part of the results.
    if (output !== undefined) await removeOutput(output);
    const { rows, code } = await writeResults(call, client, id);
    if (output !== undefined) await deleteState(output);
    const where = output === undefined ? '' : ` in ${output}`;
    await write(terminal.stderr, `${counted(rows, 'row')}${where}\n${jobText(job)}`);
    return job.state === 'succeeded' ? code : exitCodes.unexpected;
  } catch (error) {
    const next = output === undefined ? '' : ` Run the same command again to write them to ${output}.`;
    const goesOn = `The job continues: \`shopscope jobs results ${id}\` prints its results.${next}`;
    if (signal.aborted) throw new InterruptedError(goesOn);
    await write(terminal.stderr, `${goesOn}\n`);
    throw error;
  }
}

function quoteText({ matched, stale, unknown, quote }: Awaited<ReturnType<Client['quoteListEnrich']>>): string {
  const units = Object.entries(quote).filter(([, count]) => count > 0);
  return pairs([
    ['Matched', String(matched)],
    ['Stale', String(stale)],
    ['Unknown', String(unknown)],
    ['Costs', units.map(([unit, count]) => `${count} ${unit}`).join(', ') || 'nothing'],
  ]);
}
