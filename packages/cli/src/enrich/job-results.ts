import type { Client, components } from '@shopscope/client';
import type { Call } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { write } from '../terminal.ts';
import { type EnrichedRow, type Format, formatOf, headerLine, lineOf } from './output.ts';
import { openSink, requireAbsent } from './sink.ts';

type Schemas = components['schemas'];
type StoreResult = Schemas['EnrichJobResult'] | Schemas['ScanJobResult'];

const pageSize = 100;
const columns = ['domain', 'external_id'];

interface Written {
  rows: number;
  /** exitCodes.allowance when the allowance did not suffice for every row. */
  code: number;
}

/** Writes the results of a job to the file of -o or to standard output, a page at a time. */
export async function writeResults({ terminal, options, json }: Call, client: Client, jobId: string): Promise<Written> {
  const { output } = options;
  const format = formatOf(output, json);
  const sink = await openSink(terminal, output, undefined);
  let [rows, unpaid] = [0, 0];
  try {
    const results = client.getJobResults(jobId, { limit: pageSize }, { signal: terminal.interrupted });
    if (format === 'csv') await sink.write(headerLine(columns));
    for await (const { data } of results.pages()) {
      for (const result of data) {
        await sink.write(textOf(format, result as StoreResult));
        if ('match' in result && result.reason === 'allowance_exhausted') unpaid += 1;
      }
      await sink.flush();
      rows += data.length;
    }
  } finally {
    await sink.close();
  }
  if (unpaid === 0) return { rows, code: exitCodes.ok };
  await write(terminal.stderr, `The allowance did not suffice for ${unpaid} of ${rows} rows.\n`);
  return { rows, code: exitCodes.allowance };
}

/** Writes the parts of an export, which are the lines of its file, to the file of -o or to standard output. */
export async function writeParts({ terminal, options }: Call, client: Client, jobId: string): Promise<Written> {
  const sink = await openSink(terminal, options.output, undefined);
  let rows = 0;
  try {
    for await (const part of client.exportParts(jobId, { signal: terminal.interrupted })) {
      await sink.write(part.text);
      await sink.flush();
      rows += part.rows;
    }
  } finally {
    await sink.close();
  }
  return { rows, code: exitCodes.ok };
}

/**
 * Writes the results of a job that may not have ended, and returns the exit code. It has not ended -> standard output gets the results so
 * far, and a file of -o is not written, so that the same command can succeed later.
 */
export async function writeResultsNow(call: Call, client: Client, jobId: string): Promise<number> {
  const { terminal, options } = call;
  await requireAbsent(options.output);
  // The state is read first: the results of a job that ends meanwhile may be incomplete.
  const job = await client.getJob(jobId, { signal: terminal.interrupted });
  const writeAll = job.type === 'export' ? writeParts : writeResults;
  if (job.finished_at !== null) return (await writeAll(call, client, jobId)).code;
  const isFile = options.output !== undefined;
  const rows = isFile ? job.progress.done : (await writeAll(call, client, jobId)).rows;
  const file = isFile ? ` ${options.output} is not written before the job has ended.` : '';
  await write(terminal.stderr, `${rows} of ${job.progress.total} so far: the job ${job.id} is ${job.state}.${file}\n`);
  return exitCodes.temporary;
}

/** A scan has no store in its result: its CSV row has the domain only. */
function textOf(format: Format, result: StoreResult): string {
  if (format === 'jsonl') return `${JSON.stringify(result)}\n`;
  const row = 'match' in result ? result : { ...result, external_id: null, match: result.state, reason: null };
  const cells = [row.domain, row.external_id ?? ''];
  return lineOf('csv', { input: row.domain, cells }, row as EnrichedRow, columns);
}
