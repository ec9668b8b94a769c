import { periodAt } from '@shopscope/clock';
import type { Balance } from '../domain/balance.ts';
import { noUnits } from '../domain/units.ts';
import type { Caller, Dependencies, Queues } from './dependencies.ts';
import { getBalances } from './get-balances.ts';

export interface VoidCharge {
  chargeId: string;
  attempt: number;
  workspaceId: string;
  keyId: string;
}

/** Gives the attempt's units back: a reservation ends, a counted attempt is reversed. Once durable, it never counts again. */
export async function voidCharge(
  deps: Dependencies,
  queues: Queues,
  input: VoidCharge,
  caller: Caller,
): Promise<Balance | undefined> {
  const nowMs = deps.clock.now();
  const { remainingMs } = caller;
  await queues.signals.submit(
    {
      ...input,
      signal: 'void',
      units: noUnits,
      periodStartMs: periodAt(nowMs).startMs,
      operation: 'void',
      occurredAtMs: nowMs,
    },
    remainingMs,
  );
  const [balance] = await getBalances(deps, [input.workspaceId], caller);
  return balance;
}
