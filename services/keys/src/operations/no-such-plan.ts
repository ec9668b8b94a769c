import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Dependencies } from './dependencies.ts';

/** Returns an error text with the existing plans, because most unknown slugs are typing mistakes. */
export async function noSuchPlanText(
  deps: Pick<Dependencies, 'plans'>,
  slug: string,
  context: Pick<CallContext, 'deadline'>,
): Promise<string> {
  const slugs = (await deps.plans.list(context.deadline.timeoutMs())).map((plan) => plan.slug);
  const existing = slugs.length > 0 ? `the plans are ${slugs.join(', ')}` : 'there are no plans';
  return `there is no plan ${JSON.stringify(slug.slice(0, 40))}; ${existing}`;
}

export async function noSuchPlan(...of: Parameters<typeof noSuchPlanText>): Promise<AppError> {
  const text = await noSuchPlanText(...of);
  return new AppError('not_found', `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}
