import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { checkPlan, type Plan, type PlanChanges } from '../domain/plan.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchPlanText } from './no-such-plan.ts';

export interface ChangePlan {
  slug: string;
  changes: PlanChanges;
  actor: string;
}

/** Changes the given members of a plan, for every workspace that is on it. `not_found` when there is no such plan. */
export async function changePlan(deps: Dependencies, input: ChangePlan, caller: CallContext): Promise<Plan> {
  const { slug, changes } = input;
  const { included = {}, ...limits } = changes;
  if ([...Object.values(limits), ...Object.values(included)].every((value) => value === undefined)) {
    throw invalidField('plan', 'give at least one member to change');
  }
  return deps.inTransaction(async (session) => {
    const plan = await deps.plans.change(slug, changes, session);
    if (!plan) throw new AppError('not_found', sentence(await noSuchPlanText(deps, slug, caller)));
    checkPlan(plan);
    await recordAudit(deps, session, { workspaceId: '', actor: input.actor, action: 'plan.changed', subjectId: slug });
    await deps.announce(
      session,
      { change: KeyChange.PLAN_CHANGED, workspaceId: '', keyId: '', planSlug: slug, atMs: deps.clock.now() },
      caller.origin,
    );
    return plan;
  }, caller.deadline);
}

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
