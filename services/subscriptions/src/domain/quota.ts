/** The names of the quotas in the API (`plan.quotas`). */
export const publicQuotaNames = {
  lists: 'lists',
  listStores: 'list_stores',
  watchlists: 'watchlists',
  watchedStores: 'watched_stores',
} as const;

export type QuotaName = keyof typeof publicQuotaNames;
export const quotaNames = Object.keys(publicQuotaNames) as QuotaName[];
