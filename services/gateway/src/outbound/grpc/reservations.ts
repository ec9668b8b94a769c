import type { ReserveItem, ReserveResult } from '@shopscope/proto';
import { type Coalescer, createCoalescer } from '../coalesce.ts';
import { createPerWorkspace } from './per-workspace.ts';

/** As many items as metering takes at once. */
const maxBatch = 1_000;
/** About as long as a decision takes, behind which metering would let the next of a workspace wait anyway. */
const gatherMs = 10;

/**
 * Reservations of one event-loop turn, in as few calls as may share their fate. Those that no Idempotency-Key names are
 * decided at once, so they leave together. A named one may be a retry, for which metering waits until its ledger has
 * caught up with the execution before it: whatever shares its call waits with it, so only named ones of its workspace do.
 */
export function createReservations<Item extends { item: ReserveItem }>(
  call: (items: Item[]) => Promise<ReserveResult[]>,
): Coalescer<Item, ReserveResult> {
  const unnamed = createCoalescer({ maxBatch, gatherMs, call });
  const named = createPerWorkspace({ maxBatch, workspaceOf: ({ item }: Item) => item.workspaceId, call });
  return { load: (item) => (item.item.fingerprint.length === 0 ? unnamed : named).load(item) };
}
