import { inEnvironment } from '@shopscope/environment';
import { type Handlers, tenantOf } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import { addStores } from '../../operations/add-stores.ts';
import { createList } from '../../operations/create-group.ts';
import { deleteList } from '../../operations/delete-group.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { findGroup } from '../../operations/find-group.ts';
import { listsOf } from '../../operations/group-kinds.ts';
import { filterDomains, listDomains } from '../../operations/list-domains.ts';
import { listGroups } from '../../operations/list-groups.ts';
import { listStores } from '../../operations/list-stores.ts';
import { removeStore } from '../../operations/remove-store.ts';
import { removeStores } from '../../operations/remove-stores.ts';
import { updateList } from '../../operations/update-group.ts';
import { encodeList, encodeMember, encodeResult } from './encode.ts';

/** Every RPC of lists. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const listHandlers = (every: EveryEnvironment) =>
  ({
    createList: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        list: encodeList(await createList(deps, tenant, request, context)),
      })),
    getList: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        list: encodeList(await findGroup(listsOf(deps), tenant, request.listId, context)),
      })),
    listLists: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const { rows, hasMore } = await listGroups(listsOf(deps), tenant, request, context);
        return { lists: rows.map(encodeList), hasMore };
      }),
    updateList: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        list: encodeList(await updateList(deps, tenant, request, context)),
      })),
    deleteList: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        await deleteList(deps, tenant, request.listId, context);
        return {};
      }),
    addListStores: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const results = await addStores(deps, listsOf(deps), tenant, { id, ...request }, context);
        return { results: results.map(encodeResult) };
      }),
    removeListStores: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const results = await removeStores(deps, listsOf(deps), tenant, { id, ...request }, context);
        return { results: results.map(encodeResult) };
      }),
    removeListStore: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        await removeStore(deps, listsOf(deps), tenant, { id, ...request }, context);
        return {};
      }),
    listListStores: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const { rows, hasMore } = await listStores(listsOf(deps), tenant, { id, ...request }, context);
        return { stores: rows.map(encodeMember), hasMore };
      }),
    listListDomains: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), (deps, tenant) =>
        listDomains(listsOf(deps), tenant, { id, ...request }, context),
      ),
    filterListDomains: ({ listId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        domains: await filterDomains(listsOf(deps), tenant, { id, ...request }, context),
      })),
  }) satisfies Partial<Handlers<typeof SubscriptionsServiceService>>;
