import { generatedNumber } from './domains.ts';

/** How a simulated scan goes. */
export interface SimulatedScan {
  /** The time from the start of the scan to its end. */
  durationMs: number;
  /** The code with which the scan fails, one of the job error codes. Undefined if it finds the store. */
  failure?: 'unreachable' | 'robots_disallowed';
}

const scanMs = 2_000;
const slowScanMs = 60_000;

/** The magic domains whose scans find a store. */
const observed: ReadonlySet<string> = new Set([
  'matched.test',
  'stale.test',
  'unknown.test',
  'slow.test',
  'changes.test',
  'flaps.test',
  'migrates.test',
  'password.test',
  'closed.test',
  'redirects.test',
  'huge.test',
  'no-catalogue.test',
  'xn--bcher-kva.test',
]);

/** Returns how a scan of this canonical domain of the test tenant goes. Unknown names have no store: their scans fail. */
export function simulatedScanOf(domain: string): SimulatedScan {
  if (domain === 'forbidden.test') return { durationMs: scanMs, failure: 'robots_disallowed' };
  if (domain === 'slow.test') return { durationMs: slowScanMs };
  if (observed.has(domain) || generatedNumber(domain) !== undefined) return { durationMs: scanMs };
  return { durationMs: scanMs, failure: 'unreachable' };
}
