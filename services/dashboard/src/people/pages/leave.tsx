import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { FormNotice, PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { cookieHeaders, load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/leave';
import { chosenKeys } from './chosen-keys.ts';
import { EndedInvitations, MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Leave the workspace · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const departure = await load(context, ({ memberChanges }) => memberChanges.openLeaving(visit));
  return { ...departure, name: visit.membership.name, list: `/workspaces/${params.workspaceId}/settings/members` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { memberChanges, sessions }, { headers }) => {
    await memberChanges.leave(workspaceVisit(args.context), chosenKeys(form));
    throw redirect('/workspaces', { headers: cookieHeaders(await sessions.renew(headers)) });
  });

export default function LeavePage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, list, member, invitations, keys } = loaderData;
  return (
    <Page title={`Leave ${isolated(name)}`} trail={[{ to: list, label: 'Members' }]}>
      <Card className="max-w-[640px]">
        <PostForm failed={actionData} hasOwnNotice>
          <p className="[overflow-wrap:anywhere]">
            You lose access to <bdi>{name}</bdi> at once. An admin can invite you again.
            {member.role === 'member' && ' Keys that you made stay valid. An admin can revoke them.'}
          </p>
          {member.role === 'admin' && (
            <>
              <EndedInvitations addresses={invitations} sender={undefined} />
              <MadeKeys keys={keys} owner={undefined} />
            </>
          )}
          <FormNotice problem={actionData?.problem} fields={['keys']} />
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={list}>Stay</ButtonLink>
            <SubmitButton kind="danger" busy="Leaving …">
              Leave workspace
            </SubmitButton>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
