import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Origin } from '@shopscope/telemetry';
import { pausedUntil } from '../../domain/rescans.ts';
import type { Dependencies } from '../dependencies.ts';
import { saveWatchlist } from '../save-watchlist.ts';

/** Pauses the rescans that a revoked key pays for. A repeated call changes nothing. */
export async function stopRescansOfKey<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  keyId: string,
  { origin, deadline }: { origin: Origin; deadline: Deadline },
): Promise<void> {
  for (const id of await deps.watchlistRescans.ofKey(tenant, keyId, deadline.timeoutMs())) {
    await deps.transact(
      async (tx) => {
        const now = new Date(deps.clock.now());
        const before = await deps.watchlists.find({ ...tenant, id }, tx);
        if (before?.rescans.keyId !== keyId || before.rescans.paused === 'key_revoked') return;
        const after = { ...before, rescans: pausedUntil(before.rescans, 'key_revoked', null) };
        await saveWatchlist(deps, tx, { before, after, now, origin });
      },
      { deadline },
    );
  }
}
