import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import type { UnitKey, Units } from '@shopscope/proto';
import { balanceOf, nothingTaken, type WholeBalance } from '../domain/balance.ts';
import type { TestDependencies } from './dependencies.ts';
import { currentOwner } from './generations.ts';
import { getBalances } from './get-balances.ts';

export interface LeftUnits {
  workspaceId: string;
  included: Units;
  /** What is left of each named unit afterwards. Other units keep what is left of them. */
  left: ReadonlyMap<UnitKey, number>;
}

/**
 * Sets what is left of units in the current period. Usage and reservations stay. What a later void gives back is left in addition.
 *
 * Concurrency: it changes the document that every Reserve changes. A Reserve is therefore decided before it or after it.
 */
export async function setTestAllowance(
  deps: TestDependencies,
  { workspaceId: asked, included, left }: LeftUnits,
  context: CallContext,
): Promise<WholeBalance> {
  const { deadline } = context;
  const nowMs = deps.clock.now();
  const periodStartMs = periodAt(nowMs).startMs;
  const workspaceId = await currentOwner(deps, asked, deadline);
  await deps.transact((tx) => deps.allowances.setLeft({ workspaceId, periodStartMs }, { included, left }, nowMs, tx), {
    deadline,
    retryDuplicateKeys: true,
  });
  const [balance] = await getBalances(deps, [workspaceId], context);
  return balance ?? balanceOf(periodStartMs, nothingTaken.taken, nothingTaken);
}
