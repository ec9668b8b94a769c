import { Outlet } from 'react-router';
import { Navigation } from '../components/navigation.tsx';
import { SkipLink } from '../components/skip-link.tsx';
import { WebhookAlerts } from '../components/webhook-alerts.tsx';
import type { Route } from './+types/workspace-layout';
import { load, membershipContext, sessionContext, workspaceVisit } from './server.ts';
import { requireMembership } from './session.ts';

export const middleware: Route.MiddlewareFunction[] = [requireMembership];

export async function loader({ context }: Route.LoaderArgs) {
  const { userId, name, email } = context.get(sessionContext);
  const current = context.get(membershipContext);
  const [all, alerts] = await load(context, ({ workspaces, webhookAlerts }) =>
    Promise.all([workspaces.list(userId), webhookAlerts.listOpen(workspaceVisit(context))]),
  );
  return {
    workspace: { id: current.workspaceId, name: current.name, role: current.role },
    workspaces: all.map(({ workspaceId, name }) => ({ id: workspaceId, name })),
    person: { name, email },
    alerts,
  };
}

/** The shell of every page of a workspace. */
export default function WorkspaceLayout({ loaderData: { alerts, ...shell } }: Route.ComponentProps) {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)]">
      <SkipLink />
      <Navigation {...shell} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <WebhookAlerts alerts={alerts} base={`/workspaces/${shell.workspace.id}/webhooks`} />
        <Outlet />
      </main>
    </div>
  );
}
