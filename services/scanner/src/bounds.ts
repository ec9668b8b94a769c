import type { ScannerConfig } from './config.ts';
import type { VisitBounds } from './operations/visit-store.ts';
import type { WebBounds } from './outbound/web/visitor.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** The upper limit of the connect timeout and of the idle timeout. The request timeout may set a lower one. */
const maxConnectOrIdleMs = 5_000;

/** The time limit of a kind of record. A slower one counts as unanswered. The scan waits no longer for DNS than for a connection. */
const maxDnsMs = 4_000;

/** Returns every bound of a visit: the configured ones and the fixed ones. */
export function boundsOf(config: ScannerConfig): { web: WebBounds; visit: VisitBounds & { scanMs: number } } {
  const requestMs = config.SCAN_REQUEST_TIMEOUT_MS;
  return {
    web: {
      connectMs: Math.min(maxConnectOrIdleMs, requestMs),
      requestMs,
      idleMs: Math.min(maxConnectOrIdleMs, requestMs),
      maxHeaderBytes: 64 * kibibyte,
      maxWireBytes: 8 * mebibyte,
      dnsMs: maxDnsMs,
    },
    visit: {
      scanMs: config.SCAN_TIMEOUT_MS,
      // The beginning and the end of a page are examined. A listing is usable only if it is complete.
      maxPageBytes: 8 * mebibyte,
      maxListingBytes: 10 * mebibyte,
      maxFurtherPageBytes: mebibyte,
    },
  };
}
