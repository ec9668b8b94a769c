import type { EnrichedBatch, EnrichedDomain } from '@shopscope/client';
import type { List, ListRow } from '@shopscope/lists';
import type { Call, Command } from '../command.ts';
import { confirmAge, confirmUnits, defaultMaxUnits, maxUnitsOf } from '../enrich/confirm.ts';
import { enrichList } from '../enrich/enrich-list.ts';
import { formatOf, headerLine, lineOf } from '../enrich/output.ts';
import { createProgress } from '../enrich/progress.ts';
import { openSink } from '../enrich/sink.ts';
import { deleteState, extendHash, lockOutput, otherRun, readState, type State, stateFileOf } from '../enrich/state.ts';
import { exitCodes, InterruptedError, UsageError } from '../exit-codes.ts';
import { faultOf, isRegularFile, readInput } from '../input-file.ts';
import { counted } from '../table.ts';
import { write } from '../terminal.ts';

export default {
  summary: 'Profiles of all stores of a file, or of a list, one row each, in order. Any length, in constant memory.',
  usage: 'FILE|- | --list LIST [--column NAME] [--refresh] [--wait] [-o out.csv|out.jsonl] [--max-units N] [--yes]',
  options: {
    '--list <LIST>': 'the stores of this list, as a job of the service, in place of a file',
    '--column <NAME>':
      'the input is a table, and this column has the domains (default of *.csv and *.tsv: domain, website, url …)',
    '-o, --output <FILE>': 'CSV, or JSON lines when it ends with .jsonl; standard output otherwise',
    '--refresh': 'ask for scans of unknown and stale domains',
    '--wait':
      'with --refresh: wait for the scans, and look up again what they observed; with --list: wait for the job, and print its results',
    '--dry-run': 'with --list: print what the job would cost, and start none',
    '--max-units <N>': `ask before more units than this may be spent (default ${defaultMaxUnits})`,
    '--yes': 'answer questions with yes',
  },
  notes: `Costs one lookup_cached for each known store; with --refresh one lookup_live for each scan; with --wait one more lookup_cached for
each store that a scan observed. Unknown domains are free.

With --list the job bills the same, and continues when the command ends: \`shopscope jobs ID\` follows it, and \`shopscope jobs results ID\`
prints its results for 30 days, free. It does not wait for scans. Exit code 5 with --wait: the allowance did not suffice for some rows.

A run with -o that ends early continues when you run the same command again, with --list the same job. What was in flight is billed once.
Without -o, the same command begins again, and bills again.`,
  examples: [
    'enrich domains.txt -o stores.csv',
    'enrich crm.csv --column website -o crm-stores.csv',
    'enrich - --json < domains.txt',
    'enrich --list lst_01k… --wait -o stores.csv',
  ],
  positionals: '[FILE]',
  completes: 'files',
  async run(call) {
    const { output, list } = call.options;
    if (list === undefined && call.positionals.length === 0)
      throw new UsageError('Give a FILE, or - for standard input, or --list LIST.');
    if (list === undefined && call.options.dryRun) throw new UsageError('--dry-run needs --list.');
    const unlock = output === undefined ? undefined : await lockOutput(output);
    try {
      return await (list === undefined ? enrichFile(call) : enrichList(call, list));
    } catch (error) {
      throw faultOf(error);
    } finally {
      await unlock?.();
    }
  },
} satisfies Command;

async function enrichFile(call: Call): Promise<number> {
  const { terminal, options, json, client: makeClient, print } = call;
  const [file = ''] = call.positionals;
  const { output, column } = options;
  const [wait, refresh, yes] = [Boolean(options.wait), Boolean(options.refresh), Boolean(options.yes)];
  const maxUnits = maxUnitsOf(options.maxUnits);
  if (wait && !refresh) throw new UsageError('--wait needs --refresh.');
  const unitsPerRow = wait ? 2 : 1;
  const rowsOf = () => readInput(terminal, file, { column });
  // A pipe can be read once, so its rows are not counted before.
  const isPipe = file === '-' || !(await isRegularFile(file));
  const client = await makeClient();
  const signal = terminal.interrupted;

  const before = output === undefined ? undefined : await readFileState(output);
  if (before) requireSameOptions(before, { refresh, wait }, output ?? '');
  if (before && !yes) await confirmAge(terminal, before);
  const total = isPipe ? undefined : await countRows(rowsOf());
  const mayStillSpend = total === undefined ? undefined : (total - (before?.rows ?? 0)) * unitsPerRow;
  let isBounded = isPipe;
  if (mayStillSpend !== undefined && mayStillSpend > maxUnits && !yes) {
    await confirmUnits(terminal, mayStillSpend);
    isBounded = false;
  }

  const { limits } = (await client.getAccount({ signal })).plan;
  const state: State = before ?? {
    version: 1,
    run: crypto.randomUUID(),
    startedAt: new Date().toISOString(),
    batchSize: limits.enrich_batch_max,
    refresh,
    wait,
    rows: 0,
    outputBytes: 0,
    inputHash: '',
    units: { lookup_cached: 0, lookup_live: 0 },
    matches: {},
  };
  const format = formatOf(output, json);
  const sink = await openSink(terminal, output, before);
  const progress = createProgress(terminal);
  const rows = rowsOf();
  /** Rows that were taken and have no result in the output yet, oldest first. At most those of the batches in flight. */
  const pending: ListRow[] = [];
  const resumedAt = state.rows;
  const unitsBefore = { ...state.units };
  let hash = state.inputHash;
  let written = resumedAt;
  /** Rows from which a later run continues. */
  let kept = resumedAt;
  let batch: EnrichedBatch = { index: 0, size: 0, billed: { lookup_cached: 0, lookup_live: 0 } };
  let isStopped = false;

  async function* inputs() {
    let at = 0;
    let skippedHash = '';
    for await (const row of rows) {
      at += 1;
      if (at === 1) {
        if (before?.header && JSON.stringify(before.header) !== JSON.stringify(rows.header)) {
          throw changedInput(output ?? '');
        }
        if (rows.header) state.header = rows.header;
      }
      if (at <= resumedAt) {
        skippedHash = extendHash(skippedHash, row.input);
        if (at === resumedAt && skippedHash !== state.inputHash) throw changedInput(output ?? '');
        continue;
      }
      if (isBounded && !yes && (at - resumedAt) * unitsPerRow > maxUnits) {
        isStopped = true;
        return;
      }
      pending.push(row);
      yield row.input;
    }
    if (at < resumedAt) throw changedInput(output ?? '');
  }

  try {
    // Before the first request, so that a run that ends at once is continued under the same keys.
    await sink.keep(state);
    const results = client.enrichAll(inputs(), {
      refresh: state.refresh,
      wait: state.wait,
      batchSize: state.batchSize,
      signal,
      idempotencyKey: ({ index, domains }) => `${state.run}-${resumedAt + index}-${domains.length}`,
      onBatch: (each) => {
        batch = each;
      },
      onProgress: (each) => {
        const units = unitsOf(unitsBefore) + unitsOf(each.billed);
        progress.show({ done: resumedAt + each.done, total, units, waiting: each.waiting });
      },
    });
    let hasHeader = resumedAt > 0 || format === 'jsonl';
    for await (const result of results) {
      const row = pending.shift() as ListRow;
      if (!hasHeader) await sink.write(headerLine(rows.header));
      hasHeader = true;
      await sink.write(lineOf(format, row, result, rows.header));
      hash = extendHash(hash, row.input);
      written += 1;
      const name = nameOf(result);
      state.matches[name] = (state.matches[name] ?? 0) + 1;
      if (written !== resumedAt + batch.index + batch.size) continue;
      state.units.lookup_cached += batch.billed.lookup_cached;
      state.units.lookup_live += batch.billed.lookup_live;
      await sink.keep({ ...state, rows: written, inputHash: hash });
      kept = written;
    }
    if (!hasHeader && rows.header) await sink.write(headerLine(rows.header));
  } catch (error) {
    progress.end();
    await sink.close();
    if (signal.aborted) throw new InterruptedError(continuation(output, kept));
    if (output !== undefined && kept > 0) await write(terminal.stderr, `${continuation(output, kept)}\n`);
    throw error;
  }
  progress.end();
  await sink.close();
  if (isStopped) {
    throw new UsageError(
      `More than ${counted(maxUnits, 'unit')} could be spent, so ${written} of the rows were answered. ` +
        (output === undefined
          ? 'Give a larger --max-units.'
          : 'Run the same command with a larger --max-units to continue.'),
    );
  }
  if (rows.encoding === 'windows-1252') {
    await write(terminal.stderr, `${file} was read as Windows-1252. If names look wrong, save it as UTF-8.\n`);
  }
  if (output !== undefined) await deleteState(output);
  const { matches, units } = state;
  const summary = { rows: written, matches, units, ...(output !== undefined && { output }) };
  if (output !== undefined && json) await print(summary, () => '');
  else await write(terminal.stderr, summaryText(summary));
  return exitCodes.ok;
}

const unitsOf = ({ lookup_cached, lookup_live }: State['units']) => lookup_cached + lookup_live;

function nameOf({ match, reason, job }: EnrichedDomain): string {
  const cause = reason ?? job?.error?.code;
  return cause ? `${match} (${cause})` : match;
}

function summaryText({
  rows,
  matches,
  units,
  output,
}: Pick<State, 'rows' | 'matches' | 'units'> & { output?: string }) {
  const counts = Object.entries(matches).map(([name, count]) => `  ${name}: ${count}\n`);
  const where = output === undefined ? '' : ` in ${output}`;
  return `${counted(rows, 'row')}${where}; billed ${units.lookup_cached} lookup_cached, ${units.lookup_live} lookup_live\n${counts.join('')}`;
}

const continuation = (output: string | undefined, rows: number) =>
  output === undefined
    ? 'Without -o there is nothing to continue from.'
    : `${output} has ${counted(rows, 'row')}. Run the same command again to continue; nothing is billed twice.`;

const changedInput = (output: string) =>
  new UsageError(
    `The input is not the one that ${output} was begun with. Delete ${stateFileOf(output)} and ${output} to begin again.`,
  );

async function countRows(rows: List): Promise<number> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}

async function readFileState(output: string): Promise<State | undefined> {
  const state = await readState(output);
  if (state && 'list' in state) throw otherRun(output, `with --list ${state.list}`);
  return state;
}

function requireSameOptions(state: State, wanted: Pick<State, 'refresh' | 'wait'>, output: string): void {
  for (const option of ['refresh', 'wait'] as const) {
    if (state[option] !== wanted[option]) {
      throw otherRun(output, `${state[option] ? 'with' : 'without'} --${option}`);
    }
  }
}
