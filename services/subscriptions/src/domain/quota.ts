import { AppError } from '@shopscope/errors';

/** What a workspace uses of the quotas of its plan. */
export interface QuotaUse {
  lists: number;
  listStores: number;
  watchlists: number;
  watchedStores: number;
}

export type QuotaName = keyof QuotaUse;

/** The names of the quotas in the API (`plan.quotas`). */
const publicNames: Record<QuotaName, string> = {
  lists: 'lists',
  listStores: 'list_stores',
  watchlists: 'watchlists',
  watchedStores: 'watched_stores',
};

export function quotaExceeded(name: QuotaName, { quota, used, more }: { quota: number; used: number; more: number }) {
  const publicName = publicNames[name];
  return new AppError(
    'invalid_request',
    `${publicName}: the plan allows ${quota}, the workspace uses ${used}, and this request would add ${more}`,
    { details: { field: publicName } },
  );
}
