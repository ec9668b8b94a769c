import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { ImportSteps } from '../../lists/pages.ts';
import type { Route } from './+types/list-copy';
import { LeftOut, leftOutIn } from './left-out.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Copy a list · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const base = `/workspaces/${params.workspaceId}/watchlists`;
  const { search, searchParams } = new URL(request.url);
  const copy = await load(context, ({ listCopies }) => listCopies.view(visit, params.copyId));
  if (copy.isDone) throw redirect(`${base}/${copy.watchlistId}${search}`);
  const { name } = await load(context, ({ watchlists }) => watchlists.get(visit, copy.watchlistId));
  return { copy, name, base, leftOut: leftOutIn(searchParams) };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (_form, { listCopies }) => {
    const { workspaceId, copyId } = args.params;
    await listCopies.run(workspaceVisit(args.context), copyId);
    throw redirect(`/workspaces/${workspaceId}/watchlists/copies/${copyId}${new URL(args.request.url).search}`);
  });

/** The rest of a list whose first stores the form of a new watchlist has copied. */
export default function ListCopyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { copy, name, base, leftOut } = loaderData;
  const path = `${base}/${copy.watchlistId}`;
  return (
    <Page
      title={`Copy a list into ${isolated(name)}`}
      trail={[
        { to: base, label: 'Watchlists' },
        { to: path, label: name },
      ]}
    >
      <LeftOut {...leftOut} />
      <ImportSteps sent={copy.sent} total={copy.total} place="in the watchlist" failed={actionData} back={path} />
    </Page>
  );
}
