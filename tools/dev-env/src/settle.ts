import type { RunningService } from '@shopscope/lifecycle';
import { waitUntil } from '@shopscope/testing';

/**
 * Waits until no work is pending: no outbox row, no unconsumed event, no live job. Work moves from one service to the
 * next, so two passes in a row have to find every service empty. After `timeoutMs` it rejects and names what is
 * pending.
 */
export async function settle(services: readonly RunningService[], timeoutMs: number): Promise<void> {
  let emptyPasses = 0;
  const isSettled = async () => {
    const pending = await Promise.all(
      // A service that does not respond may have pending work.
      services.map(async (service) => [service.name, await service.pending().catch(() => 1)] as const),
    );
    const busy = pending.filter(([, count]) => count > 0);
    emptyPasses = busy.length === 0 ? emptyPasses + 1 : 0;
    if (busy.length > 0) throw new Error(busy.map(([name, count]) => `${name} ${count}`).join(', '));
    return emptyPasses === 2;
  };
  await waitUntil('every service to have nothing pending', isSettled, { timeoutMs });
}
