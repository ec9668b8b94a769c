import { isolated } from '@shopscope/text';
import { Form, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, cookieHeaders, load, submit } from '../../app/pages/server.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/leave';
import { chosenKeys } from './chosen-keys.ts';
import { EndedInvitations, MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Leave the workspace · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const { memberChanges } = contextOf(context).application;
  const departure = await load(context, () => memberChanges.openLeaving(visit));
  return { ...departure, name: visit.membership.name, list: `/workspaces/${params.workspaceId}/settings/members` };
}

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    const { memberChanges, sessions } = contextOf(context).application;
    await memberChanges.leave(workspaceVisit(context), chosenKeys(form));
    throw redirect('/workspaces', { headers: cookieHeaders(await sessions.renew(request.headers)) });
  });
}

export default function LeavePage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, list, member, invitations, keys } = loaderData;
  const isBusy = useNavigation().state !== 'idle';
  return (
    <Page title={`Leave ${isolated(name)}`} trail={[{ to: list, label: 'Members' }]}>
      <Card className="max-w-[640px]">
        <Form method="post" className="grid gap-4">
          <p className="[overflow-wrap:anywhere]">
            You lose access to <bdi>{name}</bdi> at once. An admin can invite you again.
            {member.role === 'member' && ' Keys that you made stay valid. An admin can revoke them.'}
          </p>
          {member.role === 'admin' && (
            <>
              <EndedInvitations addresses={invitations} sender={undefined} />
              <MadeKeys keys={keys} owner={undefined} form={actionData} />
            </>
          )}
          <FormNotice problem={actionData?.problem} fields={['keys']} />
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={list}>Stay</ButtonLink>
            <Button kind="danger" disabled={isBusy}>
              {isBusy ? 'Leaving …' : 'Leave workspace'}
            </Button>
          </div>
        </Form>
      </Card>
    </Page>
  );
}
