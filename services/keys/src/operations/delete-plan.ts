import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { checkSlug } from '../domain/plan.ts';
import { changeForAllWorkspaces } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchPlan } from './no-such-plan.ts';

/**
 * Deletes a plan that no workspace is on. A deleted initial plan is not added again.
 *
 * Concurrency: an assignment also changes the document of the plan (assign-plan.ts), so one of the two transactions is repeated.
 */
export async function deletePlan(
  deps: Dependencies,
  input: { slug: string; actor: string },
  context: CallContext,
): Promise<void> {
  const { slug } = input;
  checkSlug(slug);
  await changeForAllWorkspaces(deps, input, context, async ({ tx, audit }) => {
    if (!(await deps.plans.delete(slug, tx))) throw await noSuchPlan(deps, slug, context);
    const workspaces = await deps.workspaces.countOnPlan(slug, tx);
    if (workspaces > 0) {
      const users = workspaces === 1 ? '1 workspace is' : `${workspaces} workspaces are`;
      throw new AppError('conflict', `${users} on plan ${slug}; give them another plan first.`);
    }
    await audit({ action: 'plan.deleted', subjectId: slug });
  });
}
