import { Plus } from 'lucide-react';
import { ButtonLink, RowLink } from '../../app/components/button.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { EmptyState, Page, Quiet } from '../../app/components/page.tsx';
import { apiCursorOf, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess, StoresOff } from '../../keys/pages.ts';
import type { Watchlist } from '../operations/watchlists.ts';
import type { Route } from './+types/watchlists';
import { RevokedKeys } from './rescans-paused.tsx';
import { RescanState, WatchlistState } from './watchlist-state.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Watchlists · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const trail = trailOf(new URL(request.url).searchParams, 'page');
  const access = await loadStoresAccess(context);
  const page = access.isOff
    ? { watchlists: [], next: undefined }
    : await load(context, ({ watchlists }) => watchlists.page(visit, apiCursorOf(trail.at(-1))));
  return { ...page, ...access, trail, base: `/workspaces/${params.workspaceId}/watchlists` };
}

export default function WatchlistsPage({ loaderData, params }: Route.ComponentProps) {
  const { watchlists, next, trail, base, isOff, isAdmin } = loaderData;
  const create = (
    <ButtonLink kind="primary" to={`${base}/new`}>
      <Plus aria-hidden className="size-4" />
      New watchlist
    </ButtonLink>
  );
  return (
    <Page
      title="Watchlists"
      lead="Stores whose confirmed changes this workspace receives. Watching is free; each rescan costs one requested refresh."
      action={!isOff && watchlists.length > 0 && create}
    >
      {isOff && <StoresOff action={`/workspaces/${params.workspaceId}/stores`} isAdmin={isAdmin} />}
      <RevokedKeys watchlists={watchlists} base={base} />
      {!isOff && watchlists.length === 0 && trail.length === 0 && (
        <EmptyState title="No watchlists yet" action={create}>
          A watchlist tells you when its stores add or remove a technology, change their platform or close. Create one
          from a list, a pasted text, or the page of a store.
        </EmptyState>
      )}
      {watchlists.length > 0 && (
        <Table label="Watchlists" columns={columns(base)} rows={watchlists} keyOf={({ id }) => id} />
      )}
      <TrailPaging label="Pages of watchlists" name="page" trail={trail} older={next && trailCursorOf(next)} />
    </Page>
  );
}

const columns = (base: string): Column<Watchlist>[] => [
  {
    header: 'Watchlist',
    className: 'md:w-[36%]',
    cell: ({ id, name }) => <RowLink to={`${base}/${id}`}>{name}</RowLink>,
  },
  { header: 'State', cell: ({ state }) => <WatchlistState state={state} /> },
  {
    header: 'Stores',
    align: 'right',
    cell: ({ store_count }) => <span className="amount">{formatNumber(store_count)}</span>,
  },
  { header: 'Rescans', cell: (watchlist) => <RescanState {...watchlist} /> },
  {
    header: 'Next rescan',
    wideOnly: true,
    cell: ({ next_rescan_at: next }) => (next === null ? <Quiet>none</Quiet> : <Time ms={Date.parse(next)} />),
  },
  {
    header: 'Units to come',
    align: 'right',
    wideOnly: true,
    cell: ({ forecast }) => <span className="amount">{formatNumber(forecast.refresh_requested)}</span>,
  },
];
