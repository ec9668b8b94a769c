import { isNotTheStore, jobErrors } from '@shopscope/proto';
import { errorLine, type Origin } from '@shopscope/telemetry';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type MonthOfScan, monthOf } from '../domain/month-of-scan.ts';

/** Why scans that nobody asks for leave a store alone. The times and the number of its scans are paid. */
export interface UnseenStore {
  /** What answered, as a sentence. */
  what: string;
  /** The month of the first such answer. */
  since: MonthOfScan;
}

/**
 * Reads why a store rests. Undefined when it does not: before, its failed scans concern only those who asked for them.
 *
 * - scan-scheduler does not answer in time -> undefined, because the page is useful without it.
 */
export async function readUnseenStore(
  deps: Dependencies,
  domain: string,
  origin: Origin,
): Promise<UnseenStore | undefined> {
  try {
    const row = await deps.scans.otherAnswers(domain, origin);
    if (row?.restsUntilMs === undefined || !isNotTheStore(row.code)) return undefined;
    return { what: jobErrors[row.code].what, since: monthOf(row.firstAtMs) };
  } catch (error) {
    const { requestId } = origin;
    deps.logger.info({ domain, requestId, cause: errorLine(error) }, 'a page says nothing of failed scans');
    return undefined;
  }
}
