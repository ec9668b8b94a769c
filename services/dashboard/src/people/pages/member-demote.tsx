import { isolated } from '@shopscope/text';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/member-demote';
import { EndedInvitations, MadeKeys } from './made-keys.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Make an admin a member · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const departure = await load(context, ({ memberChanges }) => memberChanges.openDeparture(visit, params.userId));
  return { ...departure, list: `/workspaces/${params.workspaceId}/settings/members` };
}

/** The form is sent to the action of the list. */
export default function DemoteMemberPage({ loaderData: { member, invitations, keys, list } }: Route.ComponentProps) {
  const { userId, name, email, isYou } = member;
  return (
    <Page
      title={isYou ? 'Give up the role admin' : `Make ${isolated(name)} a member`}
      trail={[{ to: list, label: 'Members' }]}
    >
      <Card className="max-w-[640px]">
        <PostForm action={list} intent="set_role">
          <input type="hidden" name="user_id" value={userId} />
          <input type="hidden" name="role" value="member" />
          <p className="[overflow-wrap:anywhere]">
            {isYou ? 'You see' : `${isolated(name)} (${email}) sees`} keys and usage from now on, and{' '}
            {isYou ? 'change' : 'changes'} nothing.
          </p>
          <EndedInvitations addresses={invitations} sender={isYou ? undefined : name} />
          <MadeKeys keys={keys} owner={isYou ? undefined : name} />
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={list}>Stay admin</ButtonLink>
            <SubmitButton kind="danger" busy="Changing …">
              Make member
            </SubmitButton>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
