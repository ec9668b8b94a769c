import { redirect } from 'react-router';
import { ErrorPage } from '../components/error-page.tsx';
import { contextOf, load } from '../server.ts';
import { sessionContext } from '../session.ts';
import type { Route } from './+types/home';

/** Leads to the overview of the person's first workspace. */
export async function loader({ context }: Route.LoaderArgs) {
  const { userId } = context.get(sessionContext);
  const [first] = await load(context, () => contextOf(context).application.workspaces.list(userId));
  if (first) throw redirect(`/workspaces/${first.workspaceId}`);
  return null;
}

export default function Home() {
  return (
    <ErrorPage problem={{ status: 404, message: 'You are not a member of any workspace yet.' }} requestId={undefined} />
  );
}
