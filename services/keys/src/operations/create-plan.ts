import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import { checkPlan, maxPlans, type Plan } from '../domain/plan.ts';
import { changeForAllWorkspaces } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';

/** Creates a plan. Throws `conflict` if its slug exists. */
export async function createPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  context: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  return changeForAllWorkspaces(deps, input, context, async ({ tx, audit }) => {
    if (!(await deps.plans.insert(plan, tx))) {
      throw new AppError('conflict', `There is a plan ${plan.slug} already.`);
    }
    await refuseTooManyPlans(deps, tx);
    await audit({ action: 'plan.created', subjectId: plan.slug });
    return plan;
  });
}

/** Throws `conflict` if there are too many plans. Call it in the transaction that has created a plan. */
export async function refuseTooManyPlans(deps: Pick<Dependencies, 'plans'>, tx: Tx): Promise<void> {
  if ((await deps.plans.countWithNew(tx)) > maxPlans) {
    throw new AppError('conflict', `There are ${maxPlans} plans; delete one first.`);
  }
}
