import { AppError } from '@shopscope/errors';
import type { Logger } from '@shopscope/telemetry';
import type { WorkspaceVisit } from '../../app/operations/workspace-visit.ts';
import type { EnrichAnswer, GatewayClient } from '../../app/outbound/gateway.ts';
import type { DashboardKeys } from '../../keys/operations/dashboard-keys.ts';
import { type Store, type StoreMatch, storeSchema } from '../domain/store.ts';

export interface EnrichInput {
  domains: readonly string[];
  refresh: boolean;
  idempotencyKey: string;
}

/** `results` are in the order of the domains. */
export interface Enriched {
  billed: EnrichAnswer['billed'];
  results: { match: StoreMatch; scanJobId: string | null; store: Store | undefined }[];
}

export type CallEnrich = (visit: WorkspaceVisit, input: EnrichInput) => Promise<Enriched>;

/**
 * Makes a call of the API for a workspace with its Dashboard key. Failure: the gateway refuses the key -> one call with a new key. Its
 * answer is returned, whatever it is; its `unauthorized` is an error of this application.
 */
export type CallWithKey = <T>(
  visit: WorkspaceVisit,
  call: (secret: string) => Promise<T>,
  /** Whether an answer refuses the key, for calls that throw nothing. */
  isRefused?: (answer: T) => boolean,
) => Promise<T>;

export function createCallWithKey(dashboardKeys: Pick<DashboardKeys, 'open' | 'renew'>): CallWithKey {
  return async (visit, call, isRefused = () => false) => {
    const key = await dashboardKeys.open(visit);
    try {
      const answer = await call(key.secret);
      if (!isRefused(answer)) return answer;
    } catch (error) {
      if (!isRefusedKey(error)) throw error;
    }
    const { secret } = await dashboardKeys.renew(visit, key);
    return call(secret).catch((error) => {
      if (!isRefusedKey(error)) throw error;
      throw new AppError('internal', 'The API refuses the Dashboard key. Nothing was billed.', { cause: error });
    });
  };
}

/**
 * Calls enrich for a workspace with its Dashboard key. The Idempotency-Key belongs to the workspace, so a call with a new key of
 * the same workspace bills nothing twice.
 *
 * Failure: a profile has a form that this version does not know -> its result is `unreadable`, because the call is billed already; one
 * log line per call.
 */
export function createCallEnrich(deps: {
  gateway: Pick<GatewayClient, 'enrich'>;
  callWithKey: CallWithKey;
  logger: Logger;
}): CallEnrich {
  const read = ({ billed, results }: EnrichAnswer, { origin }: WorkspaceVisit): Enriched => {
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
      const { requestId } = origin;
      deps.logger.error({ requestId, count: faults.length, ...first }, 'profiles of the API have an unknown form');
    }
    return { billed, results: enriched };
  };

  return async (visit, input) => {
    const { address, origin } = visit;
    return read(
      await deps.callWithKey(visit, (secret) => deps.gateway.enrich({ ...input, secret, address, origin })),
      visit,
    );
  };
}

const isRefusedKey = (error: unknown) => error instanceof AppError && error.code === 'unauthorized';
