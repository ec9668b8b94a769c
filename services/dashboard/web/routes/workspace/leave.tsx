import { Form, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormNotice } from '../../components/form-notice.tsx';
import { Card, Page } from '../../components/page.tsx';
import { contextOf, cookieHeaders, submit } from '../../server.ts';
import { membershipContext } from '../../session.ts';
import { workspaceVisit } from '../../workspace-visit.ts';
import type { Route } from './+types/leave';

export const meta: Route.MetaFunction = () => [{ title: 'Leave the workspace · Shopscope' }];

export function loader({ params, context }: Route.LoaderArgs) {
  const { name } = context.get(membershipContext);
  return { name, list: `/workspaces/${params.workspaceId}/settings/members` };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  return submit(context, form, async () => {
    const { members, sessions } = contextOf(context).application;
    await members.leave(workspaceVisit(context));
    throw redirect('/workspaces', { headers: cookieHeaders(await sessions.renew(request.headers)) });
  });
}

export default function LeavePage({ loaderData: { name, list }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <Page title={`Leave ${name}`} trail={[{ to: list, label: 'Members' }]}>
      <Card className="max-w-[520px]">
        <Form method="post" className="grid gap-4">
          <p>You lose access to {name} at once. The keys that you created stay valid. An admin can invite you again.</p>
          <FormNotice problem={actionData?.problem} fields={[]} />
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
