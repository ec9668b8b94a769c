import { Pause, Play } from 'lucide-react';
import { data, redirect } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { MemberStores } from '../../app/components/member-stores.tsx';
import { EmptyState, Notice, Page, Section } from '../../app/components/page.tsx';
import { apiCursorOf, plainWords, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { loadAllowance } from '../../usage/pages.ts';
import type { Route } from './+types/watchlist';
import { LeftOut, leftOutIn, unreadReasons, unreadText } from './left-out.tsx';
import { Rescans } from './rescans.tsx';
import { RescansPaused } from './rescans-paused.tsx';
import { watchedText } from './signal-labels.ts';
import { AddStores, WatchlistSettings } from './watchlist-forms.tsx';
import { WatchlistState } from './watchlist-state.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Watchlist · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const search = new URL(request.url).searchParams;
  const trail = trailOf(search, 'page');
  const { watchlistId } = params;
  const [watchlist, page, allowance] = await Promise.all([
    load(context, ({ watchlists }) => watchlists.get(visit, watchlistId)),
    load(context, ({ watchlists }) => watchlists.stores(visit, watchlistId, apiCursorOf(trail.at(-1)))),
    loadAllowance(context),
  ]);
  return {
    watchlist,
    ...page,
    allowance,
    trail,
    leftOut: leftOutIn(search),
    isAdmin: visit.membership.role === 'admin',
    workspace: `/workspaces/${params.workspaceId}`,
  };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { watchlists }) => {
    const visit = workspaceVisit(args.context);
    const { watchlistId } = args.params;
    const intent = form.text('intent');
    if (intent === 'add') {
      const { added, unread } = await watchlists.addStores(visit, watchlistId, form.text('domains'));
      const rest = unread === 0 ? '' : ` ${unreadText(unread)}. ${unreadReasons}`;
      return { done: `${added === 1 ? '1 store is' : `${formatNumber(added)} stores are`} in the watchlist.${rest}` };
    }
    if (intent === 'remove') {
      const domains = form.texts('stores');
      await watchlists.removeStores(visit, watchlistId, domains);
      return { done: domains.length === 1 ? `${domains[0]} was removed.` : `${domains.length} stores were removed.` };
    }
    if (intent === 'pause') await watchlists.setState(visit, watchlistId, 'paused');
    else if (intent === 'resume') await watchlists.setState(visit, watchlistId, 'active');
    else if (intent === 'end_rescans') await watchlists.endRescans(visit, watchlistId);
    else if (intent === 'rescans') {
      const rescans = { days: form.text('rescan_interval_days'), budget: form.text('budget') };
      await watchlists.setRescans(visit, watchlistId, rescans);
    } else if (intent === 'change') {
      await watchlists.change(visit, watchlistId, {
        name: form.text('name'),
        signalTypes: form.texts('signal_types'),
        technologies: form.text('technologies'),
      });
    } else throw data({}, { status: 404 });
    throw redirect(`/workspaces/${args.params.workspaceId}/watchlists/${watchlistId}`);
  });

export default function WatchlistPage({ loaderData, actionData }: Route.ComponentProps) {
  const { watchlist, stores, next, allowance, trail, leftOut, isAdmin, workspace } = loaderData;
  const base = `${workspace}/watchlists`;
  const path = `${base}/${watchlist.id}`;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const isActive = watchlist.state === 'active';
  const mayResume = isAdmin || watchlist.rescan_interval_days === null;
  const isEmpty = stores.length === 0 && trail.length === 0;
  return (
    <Page
      title={watchlist.name}
      trail={[{ to: base, label: 'Watchlists' }]}
      lead={
        <>
          <WatchlistState state={watchlist.state} /> ·{' '}
          <span className="amount">{formatNumber(watchlist.store_count)}</span>{' '}
          {watchlist.store_count === 1 ? 'store' : 'stores'} · {watchedText(watchlist)}. Its id in the API is{' '}
          <span className="code">{watchlist.id}</span>.
        </>
      }
      action={
        (isActive || mayResume) && (
          <PostForm intent={isActive ? 'pause' : 'resume'} failed={failed} className="grid gap-2">
            <Button kind={isActive ? 'secondary' : 'primary'}>
              {isActive ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
              {isActive ? 'Pause' : 'Resume'}
            </Button>
          </PostForm>
        )
      }
    >
      {actionData && 'done' in actionData && <Notice kind="ok">{actionData.done}</Notice>}
      <LeftOut {...leftOut} />
      {!isActive && (
        <Notice title="This watchlist is paused">
          It receives no changes, and its stores are not rescanned.
          {!mayResume && ' Only admins of this workspace can resume it, because its rescans then bill again.'}
        </Notice>
      )}
      <RescansPaused paused={watchlist.rescans_paused} isAdmin={isAdmin} endMs={allowance.endMs} />
      <Section id="rescans" title="Rescans" isCard>
        <Rescans watchlist={watchlist} allowance={allowance} isAdmin={isAdmin} failed={failed} />
      </Section>
      {isEmpty ? (
        <EmptyState title="No stores in this watchlist">Add stores below, one domain per line.</EmptyState>
      ) : (
        <Section title="Stores" note="By domain">
          <MemberStores stores={stores} storesPath={`${workspace}/stores`} failed={failed} />
          <TrailPaging
            label="Pages of the watchlist"
            name="page"
            trail={trail}
            older={next && trailCursorOf(next)}
            words={plainWords}
          />
        </Section>
      )}
      <Section title="Add stores" isCard>
        <AddStores key={watchlist.updated_at} failed={failed} isPrimary={isActive && isEmpty} />
      </Section>
      <Section title="Settings" isCard>
        <WatchlistSettings watchlist={watchlist} path={path} failed={failed} />
      </Section>
    </Page>
  );
}
