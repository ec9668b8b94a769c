import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { Dependencies } from './dependencies.ts';
import { noSuchPlanText } from './no-such-plan.ts';

/**
 * Makes sure, in the transaction that puts a workspace on the plan, that the plan is there when it commits. A deletion at
 * the same time conflicts with it: one of the two is repeated and sees the other.
 */
export async function assignPlan(deps: Dependencies, planSlug: string, tx: Tx, context: CallContext): Promise<void> {
  if (await deps.plans.holdForAssignment(planSlug, tx)) return;
  throw invalidField('plan_slug', await noSuchPlanText(deps, planSlug, context));
}
