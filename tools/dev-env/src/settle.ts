import type { RunningService } from '@shopscope/lifecycle';

/**
 * Waits until nothing is on its way any more: no outbox row, no unconsumed event, no live job. Work moves from one
 * service to the next, so two passes in a row have to find every service empty. Bounded; says what was still pending.
 */
export async function settle(services: readonly RunningService[], timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  let quietPasses = 0;
  while (quietPasses < 2) {
    const pending = await Promise.all(
      // Who cannot tell at this moment is not known to be done.
      services.map(async (service) => [service.name, await service.pending().catch(() => 1)] as const),
    );
    const busy = pending.filter(([, count]) => count > 0);
    quietPasses = busy.length === 0 ? quietPasses + 1 : 0;
    if (busy.length > 0 && performance.now() > endMs) {
      throw new Error(
        `not settled after ${timeoutMs} ms: ${busy.map(([name, count]) => `${name} ${count}`).join(', ')}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
