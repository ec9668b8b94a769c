import { Form, redirect, useLocation } from 'react-router';
import { ButtonLink, RefreshLink } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { FilterChips } from '../../app/components/filter-chips.tsx';
import { SubmitButton } from '../../app/components/form.tsx';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { EmptyState, Notice, Page } from '../../app/components/page.tsx';
import { useLive } from '../../app/pages/live.ts';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { submit, workspaceVisit } from '../../app/pages/server.ts';
import { loadStoresAccess, StoresOff } from '../../keys/pages.ts';
import { changeFilterOf, changeGroups } from '../domain/change-filter.ts';
import type { Route } from './+types/changes';
import { ChangeTimeline } from './change-timeline.tsx';
import { loadLatest, loadWatchlistNames } from './load-changes.ts';
import { loadHistory } from './load-history.ts';
import { StoreHistory } from './store-history.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Changes · Shopscope' }];

const title = 'Changes';
const lead =
  'What happened to the stores of your watchlists, to scans, jobs and the allowance. Events are kept for 30 days.';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const access = await loadStoresAccess(context);
  const base = `/workspaces/${params.workspaceId}`;
  if (access.isOff) return { ...access, base, page: undefined };
  const search = new URL(request.url).searchParams;
  const [page, watchlists, history] = await Promise.all([
    loadLatest(context, request.url),
    loadWatchlistNames(context),
    loadHistory(context, search),
  ]);
  const { group, watchlistId } = changeFilterOf(search);
  const filter = { group, watchlistId: page.isWatchlistGone ? '' : watchlistId };
  return { ...access, base, page, watchlists, history, filter };
}

/** Reads the history of a store, which is billed. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { storeHistories }) => {
    const given = { domain: form.text('domain'), newer: form.text('newer'), token: form.text('token') };
    const { id, domain } = await storeHistories.read(workspaceVisit(args.context), given);
    const search = new URL(args.request.url).searchParams;
    search.set('store', domain);
    search.set('history', id);
    throw redirect(`/workspaces/${args.params.workspaceId}/changes?${search}#history`);
  });

export default function ChangesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, isAdmin } = loaderData;
  if (loaderData.page !== undefined) return <Changes {...loaderData} failed={actionData} />;
  return (
    <Page title={title} lead={lead}>
      <StoresOff action={`${base}/stores`} isAdmin={isAdmin} />
    </Page>
  );
}

type Data = Extract<Route.ComponentProps['loaderData'], { page: object }>;

/** A few seconds longer than the server answers from memory. */
const everyMs = 15_000;

function Changes({ page, base, watchlists, filter, history, failed }: Data & { failed: FailedForm | undefined }) {
  const { search } = useLocation();
  const { data, state } = useLive(page, `${base}/changes/latest${search}`, { everyMs });
  const { changes, hasEarlier, isWatchlistGone, nowMs } = data;
  const seenSequence = page.changes[0]?.sequence ?? 0;
  const added = changes.filter(({ sequence }) => sequence > seenSequence).length;
  const isFiltered = filter.group !== undefined || filter.watchlistId !== '';
  return (
    <Page title={title} lead={lead} action={<LiveStatus state={state} nowMs={nowMs} />}>
      {(isFiltered || changes.length > 0) && (
        <Filters filter={filter} watchlists={watchlists} store={history?.domain} />
      )}
      {isWatchlistGone && (
        <Notice title="The watchlist of this filter does not exist any more">
          These are the changes of all watchlists.
        </Notice>
      )}
      <p role="status" className="sr-only">
        {added > 0 && `${added} new ${added === 1 ? 'change' : 'changes'}`}
      </p>
      <div className={history && 'grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
        <div className="grid min-w-0 gap-6">
          {changes.length === 0 ? (
            <Empty isFiltered={isFiltered} base={base} kind={history ? 'secondary' : 'primary'} />
          ) : (
            <ChangeTimeline changes={changes} base={base} watchlists={watchlists} seenSequence={seenSequence} />
          )}
          <RefreshLink href={search || '?'} />
          {hasEarlier && (
            <p className="text-sm text-quiet">
              {changes.length === 0 ? 'Earlier events may match.' : `These are the latest ${changes.length}.`}{' '}
              <a href="/docs/events" className="link">
                The API has all events of 30 days
              </a>
              .
            </p>
          )}
        </div>
        {history && (
          <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
            <StoreHistory key={history.domain} loaded={history} base={base} failed={failed} />
          </div>
        )}
      </div>
    </Page>
  );
}

function Filters(props: Pick<Data, 'filter' | 'watchlists'> & { store: string | undefined }) {
  const { filter, watchlists, store } = props;
  const { group, watchlistId } = filter;
  const names = Object.entries(watchlists);
  const chosen = watchlistId !== '' && watchlists[watchlistId] === undefined ? [[watchlistId, watchlistId]] : [];
  const groups = Object.entries(changeGroups).map(([name, { label }]) => [name, label] as const);
  const chips = [
    { name: 'type', text: group ? changeGroups[group].label : '' },
    { name: 'watchlist', text: watchlists[watchlistId] ?? watchlistId },
  ].filter(({ text }) => text !== '');
  return (
    <div className="grid gap-3">
      <Form method="get" className="grid grid-cols-2 items-end gap-3 md:grid-cols-[14rem_14rem_auto]">
        {store !== undefined && <input type="hidden" name="store" value={store} />}
        <SelectField
          label="Type"
          name="type"
          key={`type ${group ?? ''}`}
          defaultValue={group ?? ''}
          options={[['', 'All types'], ...groups]}
        />
        {(names.length > 0 || chosen.length > 0) && (
          <SelectField
            label="Watchlist"
            name="watchlist"
            key={`watchlist ${watchlistId}`}
            defaultValue={watchlistId}
            options={[['', 'All'], ...names, ...(chosen as [string, string][])]}
          />
        )}
        <SubmitButton kind="secondary" className="justify-self-start">
          Filter
        </SubmitButton>
      </Form>
      <FilterChips chips={chips} />
    </div>
  );
}

function Empty(props: { isFiltered: boolean; base: string; kind: 'primary' | 'secondary' }) {
  const { isFiltered, base, kind } = props;
  if (isFiltered) {
    return (
      <EmptyState title="No matching changes" action={<ButtonLink to="?">Show all changes</ButtonLink>}>
        None of the latest events matches the filters.
      </EmptyState>
    );
  }
  const watch = (
    <ButtonLink kind={kind} to={`${base}/watchlists/new`}>
      Create a watchlist
    </ButtonLink>
  );
  return (
    <EmptyState title="No changes yet" action={watch}>
      A watchlist brings the confirmed changes of its stores to this page, within seconds. Scans that you request are
      here, too, as soon as they end.
    </EmptyState>
  );
}
