import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { Card, Notice } from '../../app/components/page.tsx';
import { cookieHeaders, load, sessionContext, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/account-delete';

export const meta: Route.MetaFunction = () => [{ title: 'Delete your account · Shopscope' }];

export async function loader({ context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const effects = await load(context, ({ account }) => account.effectsOfDeletion(person));
  return { userId: person.userId, email: person.email, effects };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { account, sessions }, webRequest) => {
    await account.deleteAccount(form.text('address'), args.context.get(sessionContext), webRequest);
    const cookies = await sessions.signOut(webRequest.headers);
    throw redirect('/sign-in?notice=account-deleted', { headers: cookieHeaders(cookies) });
  });

export default function DeleteAccount({ loaderData: { userId, email, effects }, actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-xl">Delete your account</h1>
      {effects.lastAdminOf.length > 0 ? (
        <>
          <Notice kind="warning" title={`You are the last admin of ${effects.lastAdminOf.map(isolated).join(', ')}`}>
            Others are members there. Make one of them an admin, or delete the workspace, before you delete your
            account.
          </Notice>
          <p>
            <ButtonLink to="/account">Back to your account</ButtonLink>
          </p>
        </>
      ) : (
        <Card>
          <ConfirmForm
            action="/account/delete"
            field="address"
            expected={email}
            button="Delete account"
            busyButton="Deleting …"
            failed={actionData}
            keep="Keep account"
            back="/account"
          >
            <ul className="grid list-disc gap-1 pl-5">
              <li>Your account, sessions and invitations are deleted at once. This cannot be undone.</li>
              <li>
                Audit logs of your workspaces keep what you changed, with the name and the address that you had then.
              </li>
              {effects.deleted.length > 0 && (
                <li>
                  The workspace{effects.deleted.length > 1 && 's'}{' '}
                  <strong className="[overflow-wrap:anywhere]">{effects.deleted.map(isolated).join(', ')}</strong> and
                  all API keys there are deleted: requests with them get 401 within 60 seconds.
                </li>
              )}
              {effects.left.map(({ workspaceId, name, isAdmin }) => (
                <li key={workspaceId}>
                  You leave <strong className="[overflow-wrap:anywhere]">{isolated(name)}</strong>. API keys that you
                  made there stay valid{isAdmin && ', and invitations that you sent end'}.{' '}
                  {isAdmin && (
                    <TextLink to={`/workspaces/${workspaceId}/settings/members/${userId}/keys`}>
                      Revoke your keys first
                    </TextLink>
                  )}
                </li>
              ))}
            </ul>
          </ConfirmForm>
        </Card>
      )}
    </>
  );
}
