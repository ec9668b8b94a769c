import { z } from 'zod';
import { free } from '../../contract/operation.ts';
import { count, idWith, named, pageOf } from '../../contract/schemas.ts';
import { exampleTimes, groupName, groupTimes } from '../store-groups/contract.ts';

export const shared = { tag: 'Lists', access: 'key', billing: free } as const;
export const reads = { ...shared, scope: 'read:watchlists' } as const;
export const writes = { ...shared, scope: 'write:watchlists' } as const;

export const list = named(
  'List',
  z.object({ id: idWith('lst'), name: groupName(), store_count: count().describe('Its stores'), ...groupTimes }),
);
export const listPage = pageOf('ListPage', list);
export const listCreate = named('ListCreate', z.strictObject({ name: groupName() }));
export const listUpdate = named('ListUpdate', z.strictObject({ name: groupName() }).partial());

export const listParams = z.object({ list_id: idWith('lst') });

export const exampleList = {
  id: 'lst_01kandxv3w9p4nsbq7g8e2hm5t',
  name: 'Prospects',
  store_count: 2,
  ...exampleTimes,
};
