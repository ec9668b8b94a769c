import type { Client, components } from '@shopscope/client';
import type { Call } from '../command.ts';
import { type EnrichedRow, type Format, formatOf, headerLine, lineOf } from './output.ts';
import { openSink } from './sink.ts';

type JobResult = components['schemas']['JobResult'];

const pageSize = 100;
const columns = ['domain', 'external_id'];

/** Writes the results of an enrichment to the file of -o or to standard output, a page at a time. Returns how many there are. */
export async function writeResults({ terminal, options, json }: Call, client: Client, jobId: string): Promise<number> {
  const { output } = options;
  const format = formatOf(output, json);
  const sink = await openSink(terminal, output, undefined);
  let count = 0;
  try {
    const results = client.getJobResults(jobId, { limit: pageSize }, { signal: terminal.interrupted });
    if (format === 'csv') await sink.write(headerLine(columns));
    for await (const { data } of results.pages()) {
      for (const result of data) await sink.write(textOf(format, result));
      await sink.flush();
      count += data.length;
    }
  } finally {
    await sink.close();
  }
  return count;
}

/** A scan has no store in its result: its CSV row has the domain only. */
function textOf(format: Format, result: JobResult): string {
  if (format === 'jsonl') return `${JSON.stringify(result)}\n`;
  const row = 'match' in result ? result : { ...result, external_id: null, match: result.state, reason: null };
  const cells = [row.domain, row.external_id ?? ''];
  return lineOf('csv', { input: row.domain, cells }, row as EnrichedRow, columns);
}
