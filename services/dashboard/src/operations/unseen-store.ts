import { isNotTheStore, jobErrors } from '@shopscope/proto';
import { errorLine, type Logger, type Origin } from '@shopscope/telemetry';
import type { ScanSchedulerClient } from '../outbound/grpc/scan-scheduler.ts';

/** Why the latest scans have not seen the store. */
export interface UnseenStore {
  /** What answered, as a sentence. */
  what: string;
  /** Scans with such an answer, one after the other. */
  scans: number;
  sinceMs: number;
  lastMs: number;
  /** Before it nobody visits the store who was not asked to; undefined after the first few answers. */
  restsUntilMs: number | undefined;
}

export type ReadUnseenStore = (domain: string, origin: Origin) => Promise<UnseenStore | undefined>;

/**
 * Reads why the latest scans of a domain have not seen its store. Undefined when the latest one has, or there was none.
 *
 * - scan-scheduler does not answer in time -> undefined, because the page is useful without it.
 */
export function createReadUnseenStore(deps: { scans: ScanSchedulerClient; logger: Logger }): ReadUnseenStore {
  return async (domain, origin) => {
    try {
      const row = await deps.scans.otherAnswers(domain, origin);
      if (!row || !isNotTheStore(row.code)) return undefined;
      const { code, count, firstAtMs, lastAtMs, restsUntilMs } = row;
      return { what: jobErrors[code].what, scans: count, sinceMs: firstAtMs, lastMs: lastAtMs, restsUntilMs };
    } catch (error) {
      const { requestId } = origin;
      deps.logger.info({ domain, requestId, cause: errorLine(error) }, 'a page says nothing of failed scans');
      return undefined;
    }
  };
}
