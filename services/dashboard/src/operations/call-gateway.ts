import { AppError } from '@shopscope/errors';
import type { EnrichAnswer, GatewayClient } from '../outbound/http/gateway.ts';
import type { DashboardKeys } from './dashboard-keys.ts';
import type { WorkspaceVisit } from './workspace-visit.ts';

export interface EnrichInput {
  domains: readonly string[];
  refresh: boolean;
  idempotencyKey: string;
}

export type CallEnrich = (visit: WorkspaceVisit, input: EnrichInput) => Promise<EnrichAnswer>;

/**
 * Calls enrich for a workspace with its Dashboard key. The Idempotency-Key belongs to the workspace, so a call with a new key of
 * the same workspace bills nothing twice.
 *
 * Failure: the gateway refuses the key -> one call with a new key, then an error.
 */
export function createCallEnrich(deps: {
  gateway: Pick<GatewayClient, 'enrich'>;
  dashboardKeys: Pick<DashboardKeys, 'open' | 'renew'>;
}): CallEnrich {
  return async (visit, input) => {
    const call = (secret: string) =>
      deps.gateway.enrich({ ...input, secret, address: visit.address, origin: visit.origin });
    const key = await deps.dashboardKeys.open(visit);
    try {
      return await call(key.secret);
    } catch (error) {
      if (!isRefusedKey(error)) throw error;
    }
    const { secret } = await deps.dashboardKeys.renew(visit, key);
    return call(secret).catch((error) => {
      if (!isRefusedKey(error)) throw error;
      throw new AppError('internal', 'The API refuses the Dashboard key. Nothing was billed.', { cause: error });
    });
  };
}

const isRefusedKey = (error: unknown) => error instanceof AppError && error.code === 'unauthorized';
