import { originFields } from '@shopscope/telemetry';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callWithKey } from '../../keys/operations.ts';
import { storeSchema } from '../domain/store.ts';

/**
 * Calls enrich for a workspace with its Dashboard key. `results` are in the order of the domains. The Idempotency-Key belongs to the
 * workspace. A retry with a new key of the same workspace therefore bills nothing twice.
 *
 * Failure: a profile has a form that this version does not know -> its result is `unreadable`, because the call is billed already. One line
 * per call is logged.
 */
export async function enrich(
  deps: Dependencies,
  visit: WorkspaceVisit,
  input: { domains: readonly string[]; refresh: boolean; idempotencyKey: string },
) {
  const { address, origin } = visit;
  const call = (secret: string) => deps.gateway.enrich({ ...input, secret, address, origin });
  const { billed, results } = await callWithKey(deps, visit, call);
  const faults: { index: number; path: string }[] = [];
  const enriched = results.map(({ match, scan_job_id: scanJobId, store }, index) => {
    if (store === null) return { match, scanJobId, store: undefined };
    const parsed = storeSchema.safeParse(store);
    if (parsed.success) return { match, scanJobId, store: parsed.data };
    faults.push({ index, path: parsed.error.issues[0]?.path.join('.') ?? '' });
    return { match: 'unreadable' as const, scanJobId, store: undefined };
  });
  const [first] = faults;
  if (first) {
    const line = { ...originFields(origin), count: faults.length, ...first };
    deps.logger.error(line, 'profiles of the API have an unknown form');
  }
  return { billed, results: enriched };
}
