import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DeletionConsequences } from '../../app/components/consequences.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, cookieHeaders, load, submit } from '../../app/pages/server.ts';
import { membershipContext } from '../../app/pages/session.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/workspace-delete';

export const meta: Route.MetaFunction = () => [{ title: 'Delete the workspace · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { workspaceSettings } = contextOf(context).application;
  await load(context, () => workspaceSettings.openForDeletion(workspaceVisit(context)));
  const { name } = context.get(membershipContext);
  return { name, settings: `/workspaces/${params.workspaceId}/settings/workspace` };
}

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    const { workspaceSettings, sessions } = contextOf(context).application;
    await workspaceSettings.deleteWorkspace(workspaceVisit(context), form.text('name'));
    throw redirect('/workspaces', { headers: cookieHeaders(await sessions.renew(request.headers)) });
  });
}

/** The dialog of the settings, as a page of its own. */
export default function DeleteWorkspacePage({ loaderData: { name, settings }, actionData }: Route.ComponentProps) {
  return (
    <Page title={`Delete ${isolated(name)}`} trail={[{ to: settings, label: 'Workspace' }]}>
      <Card className="max-w-[520px]">
        <ConfirmForm
          action={`${settings}/delete`}
          field="name"
          expected={name}
          button="Delete workspace"
          busyButton="Deleting …"
          failed={actionData}
          cancel={<ButtonLink to={settings}>Keep the workspace</ButtonLink>}
        >
          <DeletionConsequences />
        </ConfirmForm>
      </Card>
    </Page>
  );
}
