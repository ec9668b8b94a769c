import type { components } from './api.gen.ts';
import { ShopscopeError } from './errors.ts';
import type { Operations, StoreWhere } from './operations.ts';
import type { Platform } from './platform.ts';
import type { SearchUnits, StoreRow } from './search.ts';
import type { PostOptions } from './send.ts';
import { type WaitForJobOptions, waitForJob } from './wait-for-job.ts';

type Schemas = components['schemas'];

export interface ExportOptions extends WaitForJobOptions, Pick<PostOptions, 'idempotencyKey'> {
  /** Default: by domain. */
  sort?: Schemas['StoreExportRequest']['sort'] | undefined;
  /** The most rows. More matching stores are refused, free. Default and maximum: 100,000. */
  maxRows?: number | undefined;
  /** The most units that the job may bill. A larger quote is refused, free. Required above 1,000 rows. */
  maxUnits?: SearchUnits | undefined;
}

export interface ExportedPart {
  part: number;
  rows: number;
  /** Lines of NDJSON, or records of CSV. The texts of all parts in their order are the file. */
  text: string;
}

/**
 * Starts an export, waits for its end and yields its rows. Needs the scope read:jobs too.
 *
 * - The job fails or is canceled -> its finished parts, which are billed, are yielded before ShopscopeError.
 * - The iteration ends early -> the job goes on. Its id is in the jobs of `onProgress`, and getJobResults has its parts.
 */
export async function* exportStores(
  client: Operations,
  where: StoreWhere,
  { sort, maxRows, maxUnits, idempotencyKey, ...wait }: ExportOptions,
  platform: Platform,
): AsyncGenerator<StoreRow, void, undefined> {
  const { signal } = wait;
  const request = { where, sort, format: 'ndjson', max_rows: maxRows, max_units: maxUnits } as const;
  const { id } = await client.exportStores(request, { idempotencyKey, signal });
  const { state, error } = await waitForJob(() => client.getJob(id, { signal }), wait, platform);
  for await (const { text } of exportParts(client, id, signal)) {
    for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line);
  }
  if (state !== 'succeeded') throw new ShopscopeError(`the export ${id} is ${state}: ${error?.message ?? 'no error'}`);
}

/** Yields the parts of an export in their order. Throws ShopscopeError if a part differs from its sha256. */
export async function* exportParts(
  client: Operations,
  jobId: string,
  signal?: AbortSignal,
): AsyncGenerator<ExportedPart, void, undefined> {
  for await (const result of client.getJobResults(jobId, {}, { signal })) {
    if (!('sha256' in result)) throw new ShopscopeError(`the job ${jobId} is no export`);
    const { part, rows, sha256 } = result;
    const text = await client.getJobPart(jobId, part, { signal });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (found !== sha256) throw new ShopscopeError(`part ${part} of the export ${jobId} differs from its sha256`);
    yield { part, rows, text };
  }
}
