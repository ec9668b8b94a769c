import type { IDataObject } from 'n8n-workflow';
import { type Operation, type OperationContext, type Row, rowsOrErrors } from './operation.ts';
import { domainsOf, pathPart, textOf } from './parameters.ts';

const maxStoresPerRequest = 2_000;

interface Member {
  store: IDataObject & { domain: string };
  item: number;
}

export const addListStores: Operation = (context) =>
  changeMembers(context, {
    pathEnd: 'stores',
    bodyOf: (members) => ({ stores: members.map(({ store }) => store) }),
  });

export const removeListStores: Operation = (context) =>
  changeMembers(context, {
    pathEnd: 'stores/remove',
    bodyOf: (members) => ({ domains: members.map(({ store }) => store.domain) }),
  });

/** Sends the domains of all input items with the same list together. The rows come list by list, in the order of the items. */
async function changeMembers(
  context: OperationContext,
  { pathEnd, bodyOf }: { pathEnd: string; bodyOf(members: Member[]): IDataObject },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [listId, members] of membersByList(context)) {
    for (let first = 0; first < members.length; first += maxStoresPerRequest) {
      const batch = members.slice(first, first + maxStoresPerRequest);
      const path = `/v1/lists/${listId}/${pathEnd}`;
      const body = bodyOf(batch);
      const ofBatch = await rowsOrErrors(
        context,
        batch.map(({ item }) => item),
        async () => {
          const idempotencyKey = context.keyOf(`${pathEnd}-${first}`, [path, body]);
          const answer = await context.api<{ results: IDataObject[] }>({ method: 'POST', path, body, idempotencyKey });
          return answer.results.map((json, at) => ({ json, item: batch[at]?.item ?? 0 }));
        },
      );
      rows.push(...ofBatch);
    }
  }
  return rows;
}

function membersByList(context: OperationContext): Map<string, Member[]> {
  const lists = new Map<string, Member[]>();
  for (let item = 0; item < context.itemCount; item++) {
    const listId = pathPart(context, 'listId', item);
    const externalId = textOf(context, 'externalId', item);
    const members = lists.get(listId) ?? [];
    lists.set(listId, members);
    for (const domain of domainsOf(context, item))
      members.push({ store: externalId === '' ? { domain } : { domain, external_id: externalId }, item });
  }
  return lists;
}
