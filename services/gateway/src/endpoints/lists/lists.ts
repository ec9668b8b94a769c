import type { List } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Page } from '../jobs/jobs.ts';
import type { groupPageQuery } from '../store-groups/contract.ts';
import { pageOfGroups } from '../store-groups/page-of-groups.ts';
import type { listUpdate } from './contract.ts';

/**
 * The lists of the caller's workspace, in the environment of its key.
 *
 * - The id belongs to another workspace, is unknown, or its list is deleted -> 404.
 * - Pages have the newest list first. A cursor belongs to the workspace.
 */
type Subscriptions = Pick<Dependencies, 'subscriptions'>;

export interface ListBody {
  id: string;
  name: string;
  store_count: number;
  created_at: string;
  updated_at: string;
}

const timeOf = (ms: number) => new Date(ms).toISOString();

function bodyOf(list: List | undefined): ListBody {
  if (!list) throw new Error('the response has no list');
  const { id, name, storeCount, createdAtMs, updatedAtMs } = list;
  return { id, name, store_count: storeCount, created_at: timeOf(createdAtMs), updated_at: timeOf(updatedAtMs) };
}

/** Calls with one token create one list. */
export async function create(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  name: string,
  requestToken: string,
): Promise<ListBody> {
  const { workspaceId, plan } = request.caller;
  const quota = plan.quotas.lists;
  return bodyOf((await subscriptions.createList({ workspaceId, name, quota, requestToken }, request)).list);
}

export async function read(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  listId: string,
): Promise<ListBody> {
  const { workspaceId } = request.caller;
  return bodyOf((await subscriptions.getList({ workspaceId, listId }, request)).list);
}

export const pageOfLists = (
  deps: Pick<Dependencies, 'subscriptions' | 'cursors'>,
  request: CallerRequest,
  query: z.output<typeof groupPageQuery>,
): Promise<Page<ListBody>> =>
  pageOfGroups(deps, request, query, {
    cursorName: 'lists',
    async read(page) {
      const { lists, hasMore } = await deps.subscriptions.listLists(page, request);
      return { rows: lists, hasMore };
    },
    bodyOf: (list: List) => bodyOf(list),
  });

export async function change(
  { subscriptions }: Subscriptions,
  request: CallerRequest,
  listId: string,
  { name }: z.output<typeof listUpdate>,
): Promise<ListBody> {
  const { workspaceId } = request.caller;
  return bodyOf((await subscriptions.updateList({ workspaceId, listId, name }, request)).list);
}

export async function remove({ subscriptions }: Subscriptions, request: CallerRequest, listId: string): Promise<void> {
  await subscriptions.deleteList({ workspaceId: request.caller.workspaceId, listId }, request);
}
