import { ListPlus } from 'lucide-react';
import { ButtonLink, RowLink } from '../../app/components/button.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { EmptyState, Page } from '../../app/components/page.tsx';
import { apiCursorOf, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess, StoresOff } from '../../keys/pages.ts';
import type { List } from '../operations/lists.ts';
import type { Route } from './+types/lists';

export const meta: Route.MetaFunction = () => [{ title: 'Lists · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const trail = trailOf(new URL(request.url).searchParams, 'page');
  const access = await loadStoresAccess(context);
  const page = access.isOff
    ? { lists: [], next: undefined }
    : await load(context, ({ lists }) => lists.page(visit, apiCursorOf(trail.at(-1))));
  return { ...page, ...access, trail, base: `/workspaces/${params.workspaceId}/lists` };
}

export default function ListsPage({ loaderData, params }: Route.ComponentProps) {
  const { lists, next, trail, base, isOff, isAdmin } = loaderData;
  const create = (
    <ButtonLink kind="primary" to={`${base}/new`}>
      <ListPlus aria-hidden className="size-4" />
      New list
    </ButtonLink>
  );
  return (
    <Page
      title="Lists"
      lead="Stores that you bring, with your own ids. Enriching a list looks all of its stores up in one job."
      action={!isOff && lists.length > 0 && create}
    >
      {isOff && <StoresOff action={`/workspaces/${params.workspaceId}/stores`} isAdmin={isAdmin} />}
      {!isOff && lists.length === 0 && trail.length === 0 && (
        <EmptyState title="No lists yet" action={create}>
          A list keeps the stores of a file or a pasted text, for everybody in this workspace and for its API keys.
          Lists are free.
        </EmptyState>
      )}
      {lists.length > 0 && <Table label="Lists" columns={columns(base)} rows={lists} keyOf={({ id }) => id} />}
      <TrailPaging label="Pages of lists" name="page" trail={trail} older={next && trailCursorOf(next)} />
    </Page>
  );
}

const columns = (base: string): Column<List>[] => [
  {
    header: 'List',
    className: 'md:w-[50%]',
    cell: ({ id, name }) => <RowLink to={`${base}/${id}`}>{name}</RowLink>,
  },
  {
    header: 'Stores',
    align: 'right',
    cell: ({ store_count }) => <span className="amount">{formatNumber(store_count)}</span>,
  },
  { header: 'Updated', cell: ({ updated_at }) => <Time ms={Date.parse(updated_at)} /> },
  { header: 'Created', wideOnly: true, cell: ({ created_at }) => <Time ms={Date.parse(created_at)} as="date" /> },
];
