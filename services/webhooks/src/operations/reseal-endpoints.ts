import type { Environment } from '@shopscope/environment';
import type { Dependencies } from './dependencies.ts';
import { open, seal } from './sealed-parts.ts';

/** One run changes at most this many endpoints. The next run continues. */
const maxEndpoints = 200;
const timeoutMs = 10_000;

/**
 * Moves stored secrets from older keys to the current one. The operator removes an old key when no endpoint is left under it.
 *
 * - The endpoint changes meanwhile -> it stays, and another run moves it.
 * - A stored secret does not open -> the failure is logged, and the others continue.
 */
export async function resealEndpoints<E extends Environment>({
  endpoints,
  vault,
  environment,
  logger,
}: Pick<Dependencies<E>, 'endpoints' | 'vault' | 'environment' | 'logger'>): Promise<void> {
  for (const { id, workspaceId, sealed } of await endpoints.listSealedBy(vault.olderKeyIds, maxEndpoints, timeoutMs)) {
    try {
      const moved = seal(vault, id, open(vault, id, sealed));
      await endpoints.reseal({ environment, workspaceId, id }, sealed, moved, timeoutMs);
    } catch (error) {
      logger.error(
        { err: error, endpointId: id, environment },
        'the secrets of an endpoint cannot be moved to the current key',
      );
    }
  }
}
