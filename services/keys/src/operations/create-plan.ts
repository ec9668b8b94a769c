import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isDuplicateKey } from '@shopscope/mongo';
import { checkPlan, type Plan } from '../domain/plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

/** Adds a plan. `conflict` when its slug exists. */
export async function createPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  caller: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  try {
    await deps.inTransaction(async (session) => {
      await deps.plans.insert(plan, session);
      await recordAudit(deps, session, {
        workspaceId: '',
        actor: input.actor,
        action: 'plan.created',
        subjectId: plan.slug,
      });
    }, caller.deadline);
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError('conflict', `There is a plan ${plan.slug} already.`);
    throw error;
  }
  return plan;
}
