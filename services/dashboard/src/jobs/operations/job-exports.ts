/**
 * All results of an enrichment as a file. They come from one response of the API, so an export is one request of the key's rate limit.
 *
 * - Memory: the part that the reader takes next, and one result.
 * - The API ends its response early -> the file ends with an error, so that it does not look complete.
 */

import { csvOf } from '@shopscope/text';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import { csvRow, resultColumns, resultRow } from '../domain/result-row.ts';

/** A result has a store of at most 128 KiB. */
const maxLineLength = 1024 * 1024;

/** The lines as the API sends them. A store has the bytes of `getStore`. */
export async function ndjson(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<AsyncIterable<string>> {
  const { address, origin } = visit;
  const asked = { path: `/v1/jobs/${encodeURIComponent(jobId)}/results`, accept: 'application/x-ndjson' };
  const file = await callWithKey(deps, visit, (secret) => deps.gateway.file({ ...asked, secret, address, origin }));
  return file.text;
}

/** Comma-separated values, which a spreadsheet does not run as formulas. */
export async function csv(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<AsyncIterable<string>> {
  return csvParts(await ndjson(deps, visit, jobId));
}

async function* csvParts(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield csvOf([resultColumns]);
  let open = '';
  for await (const text of texts) {
    const lines = (open + text).split('\n');
    open = lines.pop() ?? '';
    if (open.length > maxLineLength) throw new Error('a result of the API is too long');
    if (lines.length > 0) yield csvOf(lines.map((line) => csvRow(resultRow(JSON.parse(line)))));
  }
  if (open !== '') throw new Error('the last result of the API is cut');
}
