import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { checkPlan, type Plan } from '../domain/plan.ts';
import { changeForAllWorkspaces } from './change-workspace.ts';
import { refuseTooManyPlans } from './create-plan.ts';
import type { Dependencies } from './dependencies.ts';

/** Creates a plan, or replaces it for every workspace that is on it. */
export async function putPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  context: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  return changeForAllWorkspaces(deps, input, context, async ({ tx, audit, announce }) => {
    if (await deps.plans.put(plan, tx)) await refuseTooManyPlans(deps, tx);
    await audit({ action: 'plan.put', subjectId: plan.slug });
    await announce(KeyChange.PLAN_CHANGED, { planSlug: plan.slug });
    return plan;
  });
}
