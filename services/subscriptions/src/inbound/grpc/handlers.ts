import { inEnvironment } from '@shopscope/environment';
import type { Handlers } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import { addListStores } from '../../operations/add-list-stores.ts';
import { createList } from '../../operations/create-list.ts';
import { deleteList } from '../../operations/delete-list.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { getList } from '../../operations/find-list.ts';
import { listListStores } from '../../operations/list-list-stores.ts';
import { listLists } from '../../operations/list-lists.ts';
import { removeListStore } from '../../operations/remove-list-store.ts';
import { removeListStores } from '../../operations/remove-list-stores.ts';
import { updateList } from '../../operations/update-list.ts';
import { encodeList, encodeMember, encodeResult } from './encode.ts';
import { tenantOf } from './tenant.ts';

/** Every RPC of the service. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const subscriptionsHandlers = (every: EveryEnvironment): Handlers<typeof SubscriptionsServiceService> => ({
  createList: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      list: encodeList(await createList(deps, tenant, request, context)),
    })),
  getList: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      list: encodeList(await getList(deps, tenant, request.listId, context)),
    })),
  listLists: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { rows, hasMore } = await listLists(deps, tenant, request, context);
      return { lists: rows.map(encodeList), hasMore };
    }),
  updateList: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { listId, name } = request;
      return { list: encodeList(await updateList(deps, tenant, { listId, name }, context)) };
    }),
  deleteList: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      await deleteList(deps, tenant, request.listId, context);
      return {};
    }),
  addListStores: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      results: (await addListStores(deps, tenant, request, context)).map(encodeResult),
    })),
  removeListStores: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      results: (await removeListStores(deps, tenant, request, context)).map(encodeResult),
    })),
  removeListStore: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      await removeListStore(deps, tenant, request, context);
      return {};
    }),
  listListStores: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { rows, hasMore } = await listListStores(deps, tenant, request, context);
      return { stores: rows.map(encodeMember), hasMore };
    }),
});
