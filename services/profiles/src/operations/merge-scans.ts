import { originFields } from '@shopscope/telemetry';
import type { Dependencies } from './dependencies.ts';
import { mergeObservations, type Scanned } from './merge-observations.ts';

/** Merges the observations of scanners. Writes one log line per scan, so that a request can be followed to its merge. */
export async function mergeScans(deps: Dependencies, scanned: readonly Scanned[]): Promise<void> {
  const results = await mergeObservations(deps, scanned);
  for (const [at, { event, origin }] of scanned.entries()) {
    const { scanId, domain, sequence } = event;
    const { result, reason } = results[at] ?? {};
    const fields = { ...originFields(origin), scanId, domain, sequence, reason: reason || undefined };
    deps.logger.info(fields, `observation ${result}`);
  }
}
