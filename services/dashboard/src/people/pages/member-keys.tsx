import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, load, submit } from '../../app/pages/server.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/member-keys';
import { chosenKeys } from './chosen-keys.ts';
import { MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Keys of a person · Shopscope' }];

const keysPath = (workspaceId: string) => `/workspaces/${workspaceId}/settings/keys`;

/** The valid keys that somebody made who is a member or was one. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { madeKeys } = contextOf(context).application;
  const maker = await load(context, () => madeKeys.openForRevocation(workspaceVisit(context), params.userId));
  const members = `/workspaces/${params.workspaceId}/settings/members`;
  return { ...maker, list: keysPath(params.workspaceId), members };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { madeKeys } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const given = { confirmation: form.text('name'), keys: chosenKeys(form) };
    await madeKeys.revokeConfirmed(workspaceVisit(context), params.userId, given);
    throw redirect(keysPath(params.workspaceId));
  });
}

export default function MemberKeysPage({ loaderData, actionData }: Route.ComponentProps) {
  const { userId, name, email, isMember, keys, list, members } = loaderData;
  return (
    <Page
      title={`Keys that ${isolated(name)} made`}
      trail={[{ to: members, label: 'Members' }]}
      lead={isMember ? email : `${email || userId} is no longer a member of the workspace.`}
    >
      <Card className="max-w-[640px]">
        {keys.length === 0 ? (
          <MadeKeys keys={keys} owner={name} />
        ) : (
          <ConfirmForm
            action={`${members}/${userId}/keys`}
            field="name"
            otherFields={['keys']}
            expected={name}
            button="Revoke keys"
            busyButton="Revoking …"
            failed={actionData}
            cancel={<ButtonLink to={list}>Keep the keys</ButtonLink>}
          >
            {(form) => <MadeKeys keys={keys} owner={name} form={form} />}
          </ConfirmForm>
        )}
      </Card>
    </Page>
  );
}
