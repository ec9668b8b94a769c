import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/member-keys';
import { chosenKeys } from './chosen-keys.ts';
import { MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Keys of a person · Shopscope' }];

const keysPath = (workspaceId: string) => `/workspaces/${workspaceId}/settings/keys`;

/** The valid keys that a current or former member has created. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const maker = await load(context, ({ madeKeys }) => madeKeys.openForRevocation(visit, params.userId));
  const members = `/workspaces/${params.workspaceId}/settings/members`;
  return { ...maker, list: keysPath(params.workspaceId), members };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { madeKeys }) => {
    const given = { confirmation: form.text('name'), keys: chosenKeys(form) };
    await madeKeys.revokeConfirmed(workspaceVisit(args.context), args.params.userId, given);
    throw redirect(keysPath(args.params.workspaceId));
  });

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
            keep="Keep the keys"
            back={list}
          >
            <MadeKeys keys={keys} owner={name} />
          </ConfirmForm>
        )}
      </Card>
    </Page>
  );
}
