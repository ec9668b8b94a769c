import { gunzipSync, gzipSync } from 'node:zlib';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import { maxListedStores, type StoreQuery } from '@shopscope/store-search';
import type { JobRef } from '../../domain/bulk-job.ts';
import type { Dependencies } from '../dependencies.ts';
import { noSuch, refOf } from '../find-group.ts';
import { listsOf } from '../group-kinds.ts';

/** The stores of each list that an export names, as they are at its start. All pages of the export use the same ones. */
export type ListedStores = ReadonlyMap<string, readonly string[]>;

/** Reads the stores of the lists of a query. Throws for a list that does not exist, and for too many stores. */
export async function listedStores<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { where }: StoreQuery,
  { deadline }: CallContext,
): Promise<ListedStores> {
  const { any = [], none = [] } = where.list ?? {};
  const ids = [...new Set([...any, ...none])];
  await requireLists(deps, tenant, ids, { maxTimeMS: deadline.timeoutMs() });
  const found = new Map<string, string[]>();
  let left = maxListedStores;
  for (const id of ids) {
    const domains = await deps.listStores.listDomains(
      refOf(listsOf(deps), tenant, id),
      '',
      left + 1,
      deadline.timeoutMs(),
    );
    if (domains.length > left) {
      const bound = maxListedStores.toLocaleString('en-US');
      throw invalidField('where.list', `the lists must have at most ${bound} stores together`);
    }
    left -= domains.length;
    found.set(id, domains);
  }
  return found;
}

/** Throws `not_found` for a list that the workspace does not have. */
export async function requireLists<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  ids: readonly string[],
  options: Tx | { maxTimeMS: number },
): Promise<void> {
  for (const id of ids) {
    if (!(await deps.lists.find(refOf(listsOf(deps), tenant, id), options))) throw noSuch(listsOf(deps));
  }
}

export const encodeLists = (lists: ListedStores): Buffer => gzipSync(JSON.stringify([...lists]));

/** Reads what {@link encodeLists} wrote at the start of the export. */
export async function savedLists<E extends Environment>(
  { jobParts }: Dependencies<E>,
  ref: JobRef<E>,
  maxTimeMS: number,
): Promise<ListedStores> {
  const saved = await jobParts.findLists(ref, maxTimeMS);
  return new Map(saved ? JSON.parse(gunzipSync(saved).toString()) : []);
}
