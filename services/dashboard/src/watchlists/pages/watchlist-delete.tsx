import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/watchlist-delete';
import { DeleteWatchlistForm } from './delete-watchlist-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Delete a watchlist · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const watchlist = await load(context, ({ watchlists }) => watchlists.get(visit, params.watchlistId));
  return { watchlist, base: `/workspaces/${params.workspaceId}/watchlists` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { watchlists }) => {
    const { workspaceId, watchlistId } = args.params;
    await watchlists.deleteWatchlist(workspaceVisit(args.context), watchlistId, form.text('name'));
    throw redirect(`/workspaces/${workspaceId}/watchlists`);
  });

/** The dialog of the watchlist as a separate page, for browsers without script. */
export default function DeleteWatchlistPage({ loaderData, actionData }: Route.ComponentProps) {
  const { watchlist, base } = loaderData;
  const path = `${base}/${watchlist.id}`;
  return (
    <Page
      title={`Delete ${isolated(watchlist.name)}`}
      trail={[
        { to: base, label: 'Watchlists' },
        { to: path, label: watchlist.name },
      ]}
    >
      <Card className="max-w-[520px]">
        <DeleteWatchlistForm watchlist={watchlist} path={path} back={path} failed={actionData} />
      </Card>
    </Page>
  );
}
