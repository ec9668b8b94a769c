import { isolated } from '@shopscope/text';
import { data, redirect, useNavigation } from 'react-router';
import { ActorName } from '../../app/components/actor.tsx';
import { Badge } from '../../app/components/badge.tsx';
import { Button, ButtonLink, TextLink } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { FormNotice, PostForm } from '../../app/components/form.tsx';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { contextOf, cookieHeaders, load, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { MemberView } from '../operations/member-view.ts';
import type { InvitationView } from '../operations/members.ts';
import type { Route } from './+types/members';
import { chosenKeys } from './chosen-keys.ts';
import { EmailField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Members · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const listed = await load(context, ({ members }) => members.list(visit));
  return {
    ...listed,
    base: `/workspaces/${params.workspaceId}/settings`,
    workspaceName: visit.membership.name,
    isAdmin: visit.membership.role === 'admin',
    departed: await departedIn(new URL(request.url).searchParams, visit, context),
  };
}

/** The person who has just been removed or demoted, and the number of their valid keys. */
async function departedIn(query: URLSearchParams, visit: WorkspaceVisit, context: Route.LoaderArgs['context']) {
  const userId = query.get('removed') ?? query.get('demoted') ?? '';
  if (!/^usr_[0-9a-z]{1,60}$/.test(userId)) return undefined;
  const { madeKeys } = contextOf(context).application;
  const isAdmin = visit.membership.role === 'admin';
  const left = isAdmin ? await loadPart(context, madeKeys.list(visit, userId)) : undefined;
  return { userId, isRemoved: query.has('removed'), keys: query.get('keys'), keysLeft: left?.value?.length ?? 0 };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { members, memberChanges, sessions }, webRequest) => {
    const visit = workspaceVisit(args.context);
    const email = form.text('email');
    switch (form.text('intent')) {
      case 'invite':
        return { invited: await members.invite(visit, { email, role: form.text('role') }) };
      case 'send_again':
        return { invited: await members.sendAgain(visit, email) };
      case 'withdraw':
        await members.withdraw(visit, email);
        return { done: `The invitation of ${email} is withdrawn. Its link no longer works.` };
      case 'set_role': {
        const userId = form.text('user_id');
        const changed = await memberChanges.setRole(visit, userId, form.text('role'), chosenKeys(form));
        const { name, role, isYou } = changed.member;
        if (role === 'admin') return { done: `${isolated(name)} is an admin from now on.` };
        const headers = cookieHeaders(isYou ? await sessions.renew(webRequest.headers) : []);
        const list = `/workspaces/${args.params.workspaceId}/settings/members`;
        throw redirect(`${list}?demoted=${userId}&keys=${changed.keys}`, { headers });
      }
      default:
        throw data({}, { status: 404 });
    }
  });

export default function MembersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { members, invitations, base, workspaceName, isAdmin, departed } = loaderData;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  return (
    <Page
      title="Members"
      lead="Admins manage keys, members and the workspace. Members see keys and usage and change nothing."
    >
      {departed && !actionData && (
        <Departed
          {...departed}
          name={members.find(({ userId }) => userId === departed.userId)?.name}
          keysPath={`${base}/members/${departed.userId}/keys`}
        />
      )}
      {actionData && 'done' in actionData && <Notice kind="ok">{actionData.done}</Notice>}
      {actionData && 'invited' in actionData && <Sent {...actionData.invited} />}
      {failed && failed.values.intent !== 'invite' && <FormNotice problem={failed.problem} fields={[]} />}
      {isAdmin && <InviteForm key={actionData && 'invited' in actionData ? 'sent' : 'open'} failed={failed} />}
      <Section title={isAdmin ? 'People' : 'Members'} note={`${members.length} in ${isolated(workspaceName)}`}>
        <Table label="Members" columns={memberColumns(base, isAdmin)} rows={members} keyOf={({ userId }) => userId} />
      </Section>
      {invitations.length > 0 && (
        <Section title="Pending invitations">
          <Table label="Invitations" columns={invitationColumns} rows={invitations} keyOf={({ email }) => email} />
        </Section>
      )}
    </Page>
  );
}

type Departure = NonNullable<Awaited<ReturnType<typeof departedIn>>>;

/** `name` is undefined if the person is not a member any more. */
function Departed(props: Departure & { name: string | undefined; keysPath: string }) {
  const { name, isRemoved, keys, keysLeft, keysPath } = props;
  const role = isRemoved
    ? 'The member is removed and has no access any more.'
    : `${name === undefined ? 'The person' : isolated(name)} is a member from now on.`;
  const done = keys === 'revoked' ? `${role} The chosen keys are revoked.` : role;
  if (keys !== 'failed' && keysLeft === 0) return <Notice kind="ok">{done}</Notice>;
  return (
    <Notice kind="warning" title={done}>
      {keys === 'failed' && 'The chosen keys could not be revoked. '}
      {keysLeft === 1 && 'An API key that this person made is still valid. '}
      {keysLeft > 1 && `${keysLeft} API keys that this person made are still valid. `}
      <TextLink to={keysPath}>Review {keysLeft === 1 ? 'it' : 'them'}</TextLink>
    </Notice>
  );
}

function Sent({ email, isMailed }: { email: string; isMailed: boolean }) {
  return isMailed ? (
    <Notice kind="ok">We sent an invitation to {email}. Its link is valid for 7 days.</Notice>
  ) : (
    <Notice kind="warning" title="The mail could not be sent">
      The invitation of {email} is stored. Send it again in a few minutes.
    </Notice>
  );
}

function InviteForm({ failed }: { failed: FailedForm | undefined }) {
  const isBusy = useNavigation().formData?.get('intent') === 'invite';
  return (
    <Card>
      <PostForm className="grid gap-3" intent="invite" failed={failed} fields={['email', 'role']}>
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_160px_auto]">
          <EmailField
            label="Invite by e-mail address"
            autoComplete="off"
            maxLength={200}
            placeholder="ann@example.com"
          />
          <SelectField label="Role" name="role" defaultValue="member" options={roles} />
          <Button kind="primary" disabled={isBusy} className="sm:mt-[25px]">
            {isBusy ? 'Sending …' : 'Send invitation'}
          </Button>
        </div>
      </PostForm>
    </Card>
  );
}

const actionColumn = { header: 'Actions', hideHeader: true, align: 'right' } as const;
const roleNames = { member: 'Member', admin: 'Admin' } as const;
const roles = Object.entries(roleNames);

const memberColumns = (base: string, isAdmin: boolean): Column<MemberView>[] => [
  {
    header: 'Name',
    cell: ({ name, isYou }) => (
      <span className="font-medium [overflow-wrap:anywhere]">
        <bdi>{name}</bdi>
        {isYou && <span className="font-normal text-quiet"> (you)</span>}
      </span>
    ),
  },
  { header: 'E-mail', cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email}</span> },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Joined', cell: ({ joinedAtMs }) => <Time ms={joinedAtMs} as="date" />, wideOnly: true },
  {
    ...actionColumn,
    cell: (member) => (isAdmin ? <MemberActions member={member} base={base} /> : member.isYou && <Leave base={base} />),
  },
];

const Leave = ({ base }: { base: string }) => (
  <ButtonLink kind="quiet" to={`${base}/leave`}>
    Leave
  </ButtonLink>
);

function MemberActions({ member, base }: { member: MemberView; base: string }) {
  const { userId, name, role, isYou, isLastAdmin } = member;
  if (isLastAdmin) {
    return (
      <span className="text-sm text-quiet" title="A workspace needs an admin. Make somebody else an admin first.">
        Only admin
      </span>
    );
  }
  return (
    <span className="-mr-3 inline-flex flex-wrap justify-end gap-1 md:flex-nowrap">
      {role === 'admin' ? (
        <ButtonLink kind="quiet" to={`${base}/members/${userId}/demote`} aria-label={`Make member: ${isolated(name)}`}>
          Make member
        </ButtonLink>
      ) : (
        <PostForm intent="set_role">
          <input type="hidden" name="user_id" value={userId} />
          <input type="hidden" name="role" value="admin" />
          <Button kind="quiet" aria-label={`Make admin: ${isolated(name)}`}>
            Make admin
          </Button>
        </PostForm>
      )}
      {isYou ? (
        <Leave base={base} />
      ) : (
        <ButtonLink kind="quiet" to={`${base}/members/${userId}/remove`} aria-label={`Remove ${isolated(name)}`}>
          Remove
        </ButtonLink>
      )}
    </span>
  );
}

const invitationColumns: Column<InvitationView>[] = [
  {
    header: 'E-mail',
    cell: ({ email }) => <span className="font-medium [overflow-wrap:anywhere]">{email}</span>,
  },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Invited by', cell: ({ invitedBy }) => <ActorName who={invitedBy} />, wideOnly: true },
  {
    header: 'Expires',
    cell: ({ expiresAtMs, isExpired }) =>
      isExpired ? <Badge tone="neutral">Expired</Badge> : <Time ms={expiresAtMs} />,
  },
  {
    ...actionColumn,
    cell: ({ email }) => (
      <span className="-mr-3 inline-flex flex-wrap justify-end gap-1 md:flex-nowrap">
        <InvitationAction email={email} intent="send_again" label="Send again" />
        <InvitationAction email={email} intent="withdraw" label="Withdraw" />
      </span>
    ),
  },
];

const InvitationAction = ({ email, intent, label }: { email: string; intent: string; label: string }) => (
  <PostForm intent={intent}>
    <input type="hidden" name="email" value={email} />
    <Button kind="quiet" aria-label={`${label}: the invitation of ${email}`}>
      {label}
    </Button>
  </PostForm>
);
