import { Outlet } from 'react-router';
import { Navigation } from '../components/navigation.tsx';
import { SkipLink } from '../components/skip-link.tsx';
import { TestBar } from '../components/test-bar.tsx';
import { WebhookAlerts } from '../components/webhook-alerts.tsx';
import type { Route } from './+types/workspace-layout';
import { environmentContext, load, membershipContext, sessionContext, workspaceVisit } from './server.ts';
import { requireMembership } from './session.ts';

export const middleware: Route.MiddlewareFunction[] = [requireMembership];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { userId, name, email } = context.get(sessionContext);
  const current = context.get(membershipContext);
  const [all, alerts] = await load(context, ({ workspaces, webhookAlerts }) =>
    Promise.all([workspaces.list(userId), webhookAlerts.listOpen(workspaceVisit(context))]),
  );
  return {
    workspace: {
      id: current.workspaceId,
      segment: params.workspaceId,
      environment: context.get(environmentContext),
      name: current.name,
      role: current.role,
    },
    workspaces: all.map(({ workspaceId, name }) => ({ id: workspaceId, name })),
    person: { name, email },
    alerts,
  };
}

/** The shell of every page of a workspace. */
export default function WorkspaceLayout({ loaderData: { alerts, ...shell } }: Route.ComponentProps) {
  return (
    <div
      data-environment={shell.workspace.environment}
      className="group/shell min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)]"
    >
      <SkipLink />
      <Navigation {...shell} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {shell.workspace.environment === 'test' && <TestBar />}
        <WebhookAlerts alerts={alerts} base={`/workspaces/${shell.workspace.segment}/webhooks`} />
        <Outlet />
      </main>
    </div>
  );
}
