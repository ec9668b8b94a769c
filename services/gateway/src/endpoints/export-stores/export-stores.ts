import { ExportFormat } from '@shopscope/proto';
import { encodeQuery, historyWindowOf, type StoreQuery } from '@shopscope/store-search';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { bulkBodyOf } from '../jobs/bulk-job-body.ts';
import type { JobBody } from '../jobs/job-body.ts';
import { reachedDaysOf } from '../signals/reached-days.ts';
import type { storeExportRequest } from './contract.ts';

const formats = { ndjson: ExportFormat.NDJSON, csv: ExportFormat.CSV } as const;

export interface NewExport extends Omit<z.output<typeof storeExportRequest>, 'where' | 'sort'> {
  query: StoreQuery;
  /** Requests with one token start one job. */
  requestToken: string;
}

/** Starts an export. subscriptions counts the stores, carries the job out and bills it for the key of the request. */
export async function startExport(
  { subscriptions, clock }: Pick<Dependencies, 'subscriptions' | 'clock'>,
  request: CallerRequest,
  { query, format, columns = [], max_rows: maxRows, max_units: maxUnits, requestToken }: NewExport,
): Promise<JobBody> {
  const { caller } = request;
  const window = historyWindowOf(query, { nowMs: clock.now(), historyDays: reachedDaysOf(caller) });
  const asked = {
    workspaceId: caller.workspaceId,
    keyId: caller.keyId,
    query: encodeQuery(query),
    windowFrom: window?.from ?? 0,
    format: formats[format],
    columns: typeof columns === 'string' ? [columns] : columns,
    maxRows,
    maxLookupCached: maxUnits?.lookup_cached,
    maxHistoryQuery: maxUnits?.history_query,
    requestToken,
  };
  return bulkBodyOf((await subscriptions.startExport(asked, request)).job);
}
