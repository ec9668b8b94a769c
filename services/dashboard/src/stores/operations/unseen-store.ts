import { isNotTheStore, jobErrors } from '@shopscope/proto';
import { errorLine, type Origin, originFields } from '@shopscope/telemetry';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type MonthOfScan, monthOf } from '../domain/month-of-scan.ts';

/** The reason why automatic scans skip a store. The exact times and the number of its scans are available to paying callers only. */
export interface UnseenStore {
  /** A sentence about the site that answered in place of the store. */
  what: string;
  /** The month of the first such answer. */
  since: MonthOfScan;
}

/**
 * Resolves to why automatic scans skip a store, or to undefined if they do not. Failed scans then concern only the callers who requested them.
 *
 * - scan-scheduler does not answer in time -> undefined, because the page is useful without the reason.
 */
export async function readUnseenStore(
  deps: Dependencies,
  domain: string,
  origin: Origin,
): Promise<UnseenStore | undefined> {
  try {
    const row = await deps.scans.pageFailures(domain, origin);
    if (row?.restsUntilMs === undefined || !isNotTheStore(row.code)) return undefined;
    return { what: jobErrors[row.code].what, since: monthOf(row.firstAtMs) };
  } catch (error) {
    deps.logger.info(
      { domain, ...originFields(origin), cause: errorLine(error) },
      'a page says nothing of failed scans',
    );
    return undefined;
  }
}
