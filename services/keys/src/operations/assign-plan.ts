import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { Dependencies } from './dependencies.ts';
import { noSuchPlanText } from './no-such-plan.ts';

/**
 * Ensures that the plan exists at the commit of the transaction that assigns it to a workspace. Throws `invalid_request` if it does not.
 *
 * Concurrency: a deletion of the plan conflicts with the assignment. The second transaction is repeated and reads the result of the first.
 */
export async function assignPlan(deps: Dependencies, planSlug: string, tx: Tx, context: CallContext): Promise<void> {
  if (await deps.plans.holdForAssignment(planSlug, tx)) return;
  throw invalidField('plan_slug', await noSuchPlanText(deps, planSlug, context));
}
