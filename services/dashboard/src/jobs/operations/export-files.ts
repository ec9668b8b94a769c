/**
 * The file of an export, which the API has in parts. Each part is one request of the key's rate limit. Nothing is billed.
 *
 * - Memory: the piece of text that the reader takes next; of a list, its domains.
 * - A part fails, or the API ends it early -> the file ends with an error, so that it does not look complete.
 */

import type { components } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import { readList } from '@shopscope/lists';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { OpenFile } from '../../app/outbound/gateway.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi, callWithKey } from '../../keys/operations.ts';
import { maxImportLines } from '../../lists/domain.ts';

type JobResult = components['schemas']['JobResult'];
const partsPerPage = 200;

/** A part of an export. Its number counts from 1. */
export function part(deps: Dependencies, visit: WorkspaceVisit, jobId: string, number: string): Promise<OpenFile> {
  const { address, origin } = visit;
  const path = `/v1/jobs/${encodeURIComponent(jobId)}/parts/${encodeURIComponent(number)}`;
  const asked = { path, accept: '*/*', address, origin };
  return callWithKey(deps, visit, (secret) => deps.gateway.file({ ...asked, secret }));
}

/** All parts that an export has, as one file. */
export async function whole(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<OpenFile> {
  const first = await part(deps, visit, jobId, '1');
  async function* text() {
    yield* first.text;
    for await (const number of laterParts(deps, visit, jobId)) yield* (await part(deps, visit, jobId, number)).text;
  }
  return { type: first.type, text: text() };
}

async function* laterParts(deps: Dependencies, visit: WorkspaceVisit, jobId: string) {
  let cursor: string | undefined;
  do {
    const query = { limit: partsPerPage, ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = await callApi(deps, visit, (client) => client.getJobResults(jobId, query));
    for (const result of data) if (isPart(result) && result.part > 1) yield String(result.part);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

const isPart = (result: JobResult) => 'sha256' in result;

/** The domains of an export as the text of an import, which makes a list of them. Throws if a list cannot have as many. */
export async function domains(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<Uint8Array> {
  const { type, text } = await whole(deps, visit, jobId);
  const found: string[] = [];
  for await (const domain of isCsv(type) ? domainsOfTable(text) : domainsOfLines(text)) {
    if (found.length === maxImportLines) throw tooManyStores();
    found.push(domain);
  }
  return Buffer.from(['domain', ...found].join('\n'));
}

export const isCsv = (type: string): boolean => type.startsWith('text/csv');

const tooManyStores = () =>
  invalidField('name', `An import can have at most ${maxImportLines.toLocaleString('en')} stores.`);

async function* domainsOfTable(text: AsyncIterable<string>) {
  const encoder = new TextEncoder();
  async function* bytes() {
    for await (const piece of text) yield encoder.encode(piece);
  }
  // The columns of each preset include one that an import recognizes.
  for await (const { input } of readList(bytes(), { shape: 'table' })) yield input;
}

async function* domainsOfLines(text: AsyncIterable<string>) {
  let open = '';
  for await (const piece of text) {
    const lines = (open + piece).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) yield (JSON.parse(line) as { domain: string }).domain;
  }
}
