import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { noUnits, type Units, type VoidChargeResponse } from '@shopscope/proto';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { Dependencies, Queues } from './dependencies.ts';
import { getBalances } from './get-balances.ts';

export interface VoidCharge {
  chargeId: string;
  attempt: number;
  workspaceId: string;
  keyId: string;
  /** The lease that paid for the charge. It is absent if Reserve granted the charge. */
  lease?: { id: string; units: Units; periodStartMs: number };
}

/**
 * Voids an attempt: its reservation ends, or the counted attempt is reversed. A voided attempt never counts again. `counts` in
 * the response is true if the attempt still counts, because a retry got it as its response and so confirmed it.
 */
export async function voidCharge(
  deps: Dependencies,
  queues: Queues,
  { lease, ...input }: VoidCharge,
  context: CallContext,
): Promise<VoidChargeResponse> {
  const nowMs = deps.clock.now();
  await queues.usageEvents.submit(
    {
      ...input,
      kind: 'void',
      units: lease?.units ?? noUnits,
      periodStartMs: lease?.periodStartMs ?? periodAt(nowMs).startMs,
      leaseId: lease?.id ?? '',
      operation: 'void',
      occurredAtMs: nowMs,
    },
    context.deadline,
  );
  const key = attemptKey(input.chargeId, input.attempt);
  const entries = await deps.ledger.entriesOf([key], [input.workspaceId], { maxTimeMS: context.deadline.timeoutMs() });
  const [balance] = await getBalances(deps, [input.workspaceId], context);
  return { balance, counts: entries.get(key)?.at(-1)?.kind === 'charge' };
}
