import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/member-remove';
import { chosenKeys } from './chosen-keys.ts';
import { EndedInvitations, MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Remove a member · Shopscope' }];

const membersPath = (workspaceId: string) => `/workspaces/${workspaceId}/settings/members`;

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const departure = await load(context, ({ memberChanges }) => memberChanges.openDeparture(visit, params.userId));
  return { ...departure, list: membersPath(params.workspaceId), workspaceName: visit.membership.name };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { memberChanges }) => {
    const { userId, workspaceId } = args.params;
    const given = { confirmation: form.text('name'), keys: chosenKeys(form) };
    const keys = await memberChanges.remove(workspaceVisit(args.context), userId, given);
    throw redirect(`${membersPath(workspaceId)}?removed=${userId}&keys=${keys}`);
  });

export default function RemoveMemberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, invitations, keys, list, workspaceName } = loaderData;
  const { name, email } = member;
  return (
    <Page title={`Remove ${isolated(name)}`} trail={[{ to: list, label: 'Members' }]}>
      <Card className="max-w-[640px]">
        <ConfirmForm
          action={`${list}/${member.userId}/remove`}
          field="name"
          otherFields={['keys']}
          expected={name}
          button="Remove member"
          busyButton="Removing …"
          failed={actionData}
          keep="Keep the member"
          back={list}
        >
          <p className="[overflow-wrap:anywhere]">
            <bdi>{name}</bdi> ({email}) loses access to <bdi>{workspaceName}</bdi> at once.
          </p>
          <EndedInvitations addresses={invitations} sender={name} />
          <MadeKeys keys={keys} owner={name} />
        </ConfirmForm>
      </Card>
    </Page>
  );
}
