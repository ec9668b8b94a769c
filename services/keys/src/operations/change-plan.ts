import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { KeyChange } from '@shopscope/proto';
import { checkPlan, checkSlug, type Plan, type PlanChanges } from '../domain/plan.ts';
import { changeForAllWorkspaces } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchPlan } from './no-such-plan.ts';

/** Changes the given members of a plan, for every workspace on it. Throws `not_found` if there is no such plan. */
export async function changePlan(
  deps: Dependencies,
  { slug, changes, actor }: { slug: string; changes: PlanChanges; actor: string },
  context: CallContext,
): Promise<Plan> {
  checkSlug(slug);
  const { included = {}, quotas = {}, ...limits } = changes;
  if ([limits, included, quotas].flatMap(Object.values).every((value) => value === undefined)) {
    throw invalidField('plan', 'give at least one member to change');
  }
  return changeForAllWorkspaces(deps, { actor }, context, async ({ tx, audit, announce }) => {
    const plan = await deps.plans.change(slug, changes, tx);
    if (!plan) throw await noSuchPlan(deps, slug, context);
    checkPlan(plan);
    await audit({ action: 'plan.changed', subjectId: slug });
    await announce(KeyChange.PLAN_CHANGED, { planSlug: slug });
    return plan;
  });
}
