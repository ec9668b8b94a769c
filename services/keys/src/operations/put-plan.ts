import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { checkPlan, type Plan } from '../domain/plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

/** Adds a plan, or changes it for every workspace that is on it. */
export async function putPlan(
  deps: Dependencies,
  input: { plan: Plan; actor: string },
  caller: CallContext,
): Promise<Plan> {
  const plan = checkPlan(input.plan);
  await deps.inTransaction(async (session) => {
    await deps.plans.put(plan, session);
    await recordAudit(deps, session, {
      workspaceId: '',
      actor: input.actor,
      action: 'plan.put',
      subjectId: plan.slug,
    });
    await deps.announce(
      session,
      { change: KeyChange.PLAN_CHANGED, workspaceId: '', keyId: '', planSlug: plan.slug, atMs: deps.clock.now() },
      caller.origin,
    );
  }, caller.deadline);
  return plan;
}
