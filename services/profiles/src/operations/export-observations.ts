import type { ExportObservationsRequest, ExportObservationsResponse } from '@shopscope/proto';
import { requireEnvironment } from '../domain/environment.ts';
import { superseded } from '../domain/merge-observation.ts';
import type { Dependencies } from './dependencies.ts';

/** A page of usual observations has about 2 MB. An observation has at most 0.9 MB. gRPC allows 16 MB. */
const maxEvents = 1_000;
const maxBytes = 4_000_000;

/** Returns the stored observations after a position. Each page is one read. Several pages are not one snapshot. */
export async function exportObservations(
  deps: Dependencies,
  { afterDomain, afterSequence, environment }: ExportObservationsRequest,
  timeoutMs: number,
): Promise<ExportObservationsResponse> {
  requireEnvironment(deps.environment, environment);
  const after = { domain: afterDomain, sequence: afterSequence };
  const [{ events, hasMore }, stores] = await Promise.all([
    deps.observations.list(after, superseded, { maxEvents, maxBytes, timeoutMs }),
    deps.stores.count(),
  ]);
  return { observations: events, hasMore, stores };
}
