import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { checkPlan, type Plan } from '../domain/plan.ts';
import { recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import { refuseTooManyPlans } from './create-plan.ts';
import type { Dependencies } from './dependencies.ts';

/** Creates a plan, or replaces it for every workspace that is on it. */
export async function putPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  context: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  await changeWorkspace(deps, '', context, async (tx) => {
    if (await deps.plans.put(plan, tx)) await refuseTooManyPlans(deps, tx);
    await recordAudit(deps, tx, { workspaceId: '', actor: input.actor }, { action: 'plan.put', subjectId: plan.slug });
    const event = { change: KeyChange.PLAN_CHANGED, planSlug: plan.slug, atMs: deps.clock.now() };
    await deps.appendEvents(tx, context.origin, event);
  });
  return plan;
}
