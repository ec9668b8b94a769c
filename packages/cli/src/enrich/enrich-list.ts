import type { Client } from '@shopscope/client';
import type { Call } from '../command.ts';
import { exitCodes, InterruptedError, UsageError } from '../exit-codes.ts';
import { jobText } from '../job-rows.ts';
import { pairs } from '../table.ts';
import { write } from '../terminal.ts';
import { confirmUnits, maxUnitsOf } from './confirm.ts';
import { writeResults } from './job-results.ts';
import { requireAbsent } from './sink.ts';

const maxWaitMs = 60 * 60_000;

/** Enriches a list as a job of the service. The quote is asked for first, so that nothing above --max-units is spent unasked. */
export async function enrichList(call: Call, listId: string): Promise<number> {
  const { terminal, options, positionals, print } = call;
  if (positionals.length > 0 || options.column !== undefined)
    throw new UsageError('--list takes neither a FILE nor --column.');
  if (options.output !== undefined && !options.wait) throw new UsageError('With --list, -o needs --wait.');
  const [refresh, wait, yes] = [Boolean(options.refresh), Boolean(options.wait), Boolean(options.yes)];
  const maxUnits = maxUnitsOf(options.maxUnits);
  await requireAbsent(options.output);
  const client = await call.client();
  const signal = terminal.interrupted;
  const quoted = await client.quoteListEnrich(listId, { refresh }, { signal });
  const units = Object.values(quoted.quote).reduce((sum, each) => sum + each, 0);
  if (options.dryRun) {
    await print(quoted, () => quoteText(quoted));
    return exitCodes.ok;
  }
  if (units > maxUnits && !yes) await confirmUnits(terminal, units);
  const started = await client.enrichList(listId, { refresh, max_units: Math.max(units, maxUnits) }, { signal });
  if (!wait) {
    await print(started, () => jobText(started));
    return exitCodes.ok;
  }
  try {
    const job = await client.waitForJob(started.id, { signal, timeoutMs: maxWaitMs });
    const { rows, code } = await writeResults(call, client, job.id);
    const where = options.output === undefined ? '' : ` in ${options.output}`;
    await write(terminal.stderr, `${rows} rows${where}\n${jobText(job)}`);
    return job.state === 'succeeded' ? code : exitCodes.unexpected;
  } catch (error) {
    const goesOn = `The job continues: \`shopscope jobs results ${started.id}\` prints its results.`;
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
