import { redirect } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { ConfirmForm } from '../../components/confirm-form.tsx';
import { RemovalConsequences } from '../../components/consequences.tsx';
import { Card, Page } from '../../components/page.tsx';
import { contextOf, field, load, submit } from '../../server.ts';
import { workspaceVisit } from '../../workspace-visit.ts';
import type { Route } from './+types/member-remove';

export const meta: Route.MetaFunction = () => [{ title: 'Remove a member · Shopscope' }];

const membersPath = (workspaceId: string) => `/workspaces/${workspaceId}/settings/members`;

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const { members } = contextOf(context).application;
  const member = await load(context, () => members.openForRemoval(visit, params.userId));
  return { member, list: membersPath(params.workspaceId), workspaceName: visit.membership.name };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await request.formData();
  return submit(context, form, async () => {
    await contextOf(context).application.members.remove(workspaceVisit(context), params.userId, field(form, 'name'));
    throw redirect(`${membersPath(params.workspaceId)}?removed`);
  });
}

/** The dialog of the list, as a page of its own. */
export default function RemoveMemberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, list, workspaceName } = loaderData;
  return (
    <Page title={`Remove ${member.name}`} trail={[{ to: list, label: 'Members' }]}>
      <Card className="max-w-[520px]">
        <ConfirmForm
          action={`${list}/${member.userId}/remove`}
          field="name"
          expected={member.name}
          button="Remove member"
          busyButton="Removing …"
          failed={actionData}
          cancel={<ButtonLink to={list}>Keep the member</ButtonLink>}
        >
          <RemovalConsequences {...member} workspaceName={workspaceName} />
        </ConfirmForm>
      </Card>
    </Page>
  );
}
