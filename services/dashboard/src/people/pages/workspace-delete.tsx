import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { Card, Page } from '../../app/components/page.tsx';
import { cookieHeaders, load, membershipContext, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/workspace-delete';
import { DeleteWorkspaceForm } from './delete-workspace-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Delete the workspace · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  await load(context, ({ workspaceSettings }) => workspaceSettings.openForDeletion(workspaceVisit(context)));
  const { name } = context.get(membershipContext);
  return { name, settings: `/workspaces/${params.workspaceId}/settings/workspace` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { workspaceSettings, sessions }, { headers }) => {
    await workspaceSettings.deleteWorkspace(workspaceVisit(args.context), form.text('name'));
    throw redirect('/workspaces', { headers: cookieHeaders(await sessions.renew(headers)) });
  });

/** The dialog of the settings as a separate page. */
export default function DeleteWorkspacePage({ loaderData: { name, settings }, actionData }: Route.ComponentProps) {
  return (
    <Page title={`Delete ${isolated(name)}`} trail={[{ to: settings, label: 'Workspace' }]}>
      <Card className="max-w-[520px]">
        <DeleteWorkspaceForm name={name} path={`${settings}/delete`} back={settings} failed={actionData} />
      </Card>
    </Page>
  );
}
