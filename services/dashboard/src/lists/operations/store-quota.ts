/** The quotas of stores in all lists and in all watchlists of a workspace. A form checks them before it creates a list or a watchlist. */

import type { Client } from '@shopscope/client';
import { invalidField } from '@shopscope/errors';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { readPlan } from '../../usage/operations.ts';
import { maxPage, readAll } from './read-all.ts';

const kinds = {
  listStores: { noun: 'stores in lists', groups: (client: Client) => client.listLists({ limit: maxPage }) },
  watchedStores: { noun: 'watched stores', groups: (client: Client) => client.listWatchlists({ limit: maxPage }) },
};

export interface StoreQuota {
  noun: string;
  allowed: number;
  used: number;
}

export async function readStoreQuota(
  deps: Dependencies,
  visit: WorkspaceVisit,
  name: keyof typeof kinds,
): Promise<StoreQuota> {
  const { noun, groups } = kinds[name];
  const { quotas } = await readPlan(deps, visit);
  const all = await callApi(deps, visit, (client) => readAll<{ store_count: number }>(groups(client)));
  const used = all.reduce((sum, { store_count }) => sum + store_count, 0);
  return { noun, allowed: quotas[name], used };
}

/** Why this number of stores does not fit; undefined if it does. */
export function quotaFault({ noun, allowed, used }: StoreQuota, more: number): string | undefined {
  if (used + more <= allowed) return undefined;
  const [most, present, added] = [allowed, used, more].map((count) => count.toLocaleString('en'));
  return `The plan allows ${most} ${noun}, this workspace has ${present}, and this would add ${added}.`;
}

export function requireQuota(quota: StoreQuota, more: number, field: string): void {
  const fault = quotaFault(quota, more);
  if (fault !== undefined) throw invalidField(field, `${fault} Nothing was created.`);
}
