import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { StoreFilter } from '@shopscope/store-search';
import { waitUntil } from '@shopscope/testing';
import type { BulkJob } from '../../src/domain/bulk-job.ts';
import { listJobResults, type NumberedPart } from '../../src/operations/jobs/list-job-results.ts';
import { readExportPart } from '../../src/operations/jobs/read-export-part.ts';
import { type NewExport, startExport } from '../../src/operations/jobs/start-export.ts';
import { context, type JobSystem, tenantOf } from './job-system.ts';

export type Payer = { workspaceId: string; keyId: string };

export const filterOf = (where: Partial<StoreFilter> = {}): StoreFilter => ({
  status: { any: ['active_storefront'] },
  technologies: [],
  dropped: [],
  ...where,
});

/** A filter that asks for changes. */
export const droppedFilter = filterOf({
  dropped: [{ quantifier: 'any', selected: { by: 'slug', values: ['yotpo'] } }],
});

export const exportOf = (over: Partial<NewExport> & { where?: StoreFilter } = {}): Omit<NewExport, 'keyId'> => {
  const { where = filterOf(), ...rest } = over;
  return {
    query: { where, sort: 'domain' },
    windowFrom: 20_260_101,
    format: 'ndjson',
    columns: 'default',
    maxRows: 100_000,
    maxUnits: { lookupCached: 1_000_000, historyQuery: null },
    requestToken: '',
    ...rest,
  };
};

export const start = ({ deps }: Pick<JobSystem, 'deps'>, payer: Payer, over: Parameters<typeof exportOf>[0] = {}) =>
  startExport(deps, tenantOf(payer), { ...exportOf(over), keyId: payer.keyId }, context());

type JobRef = Pick<BulkJob, 'workspaceId' | 'id'>;

/** Executes steps until the job has ended. A step that a busy machine delays is repeated. */
export const finish = (system: Pick<JobSystem, 'find' | 'runSteps'>, job: JobRef): Promise<BulkJob> =>
  waitUntil('the end of the export', async () => {
    await system.runSteps();
    const found = await system.find(job);
    return found.finishedAt !== null && found;
  });

/** The parts of an export, page by page. */
export async function partsOf({ deps }: Pick<JobSystem, 'deps'>, job: JobRef, limit = 200): Promise<NumberedPart[]> {
  const all: NumberedPart[] = [];
  for (;;) {
    const query = { id: job.id, afterDomain: '', afterPart: all.at(-1)?.part ?? 0, limit };
    const page = await listJobResults(deps, tenantOf(job), query, context());
    all.push(...page.parts);
    if (!page.hasMore) return all;
  }
}

/** Reads a part piece by piece, and compares it with what is said of it. */
export async function contentOf({ deps }: Pick<JobSystem, 'deps'>, job: JobRef, part: NumberedPart): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let fromByte = 0; fromByte < part.bytes; ) {
    const { piece } = await readExportPart(deps, tenantOf(job), { id: job.id, part: part.part, fromByte }, context());
    const content = gunzipSync(piece.gzip);
    if (content.length !== piece.bytes || piece.start !== fromByte) throw new Error('a piece has another size');
    pieces.push(content);
    fromByte += content.length;
  }
  const content = Buffer.concat(pieces);
  if (createHash('sha256').update(content).digest('hex') !== part.sha256) throw new Error('a part has another hash');
  return content;
}

export async function fileOf(system: Pick<JobSystem, 'deps'>, job: JobRef): Promise<string> {
  const parts = await partsOf(system, job);
  return Buffer.concat(await Promise.all(parts.map((part) => contentOf(system, job, part)))).toString();
}

/** The domains of the lines of a file of NDJSON, in order. */
export const domainsIn = (file: string): string[] =>
  file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).domain);
