import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { checkPlan, type Plan } from '../domain/plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

/** Adds a plan. `conflict` when its slug exists. */
export async function createPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  context: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  await deps.transact(async (tx) => {
    if (!(await deps.plans.insert(plan, tx))) {
      throw new AppError('conflict', `There is a plan ${plan.slug} already.`);
    }
    await recordAudit(deps, tx, {
      workspaceId: '',
      actor: input.actor,
      action: 'plan.created',
      subjectId: plan.slug,
    });
  }, context);
  return plan;
}
