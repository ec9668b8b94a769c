import type { ScannerConfig } from './config.ts';
import type { VisitBounds } from './operations/visit-store.ts';
import type { WebBounds } from './outbound/web/visitor.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** Of a request's time, the most that connecting may take, and the longest silence. */
const patienceMs = 5_000;

/** Every bound of a visit in one place: those that are configured, and those that are not worth configuring. */
export function boundsOf(config: ScannerConfig): { web: WebBounds; visit: VisitBounds & { scanMs: number } } {
  const requestMs = config.SCAN_REQUEST_TIMEOUT_MS;
  return {
    web: {
      connectMs: Math.min(patienceMs, requestMs),
      requestMs,
      idleMs: Math.min(patienceMs, requestMs),
      maxHeaderBytes: 64 * kibibyte,
      maxWireBytes: 5 * mebibyte,
    },
    visit: {
      scanMs: config.SCAN_TIMEOUT_MS,
      // What a page says of its platform stands in its beginning; a listing is of use only when it is whole.
      maxPageBytes: 2 * mebibyte,
      maxListingBytes: 10 * mebibyte,
    },
  };
}
