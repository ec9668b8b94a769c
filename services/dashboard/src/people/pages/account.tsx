import { data, Form, Link, redirect } from 'react-router';
import { Badge } from '../../app/components/badge.tsx';
import { Button, ButtonLink, TextLink } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Notice, Section } from '../../app/components/page.tsx';
import { Time, useTimeZone } from '../../app/components/time.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import { readPreferences } from '../../app/pages/preferences.ts';
import { cookieHeaders, load, sessionContext, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/account';
import { CurrentPasswordField, EmailField, NameField, NewPasswordField, UsernameHint } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Your account · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  return load(context, async ({ sessions, singleSignOn, workspaces }) => {
    const [ways, listed, memberships] = await Promise.all([
      sessions.confirmations(person.userId),
      sessions.list(person),
      workspaces.list(person.userId),
    ]);
    return {
      workspaces: memberships.map(({ workspaceId, name }) => ({ id: workspaceId, name })),
      name: person.name,
      email: person.email,
      ways,
      singleSignOn: singleSignOn?.name,
      sessions: listed,
      theme: readPreferences(request.headers.get('cookie')).theme ?? 'system',
      notice: ownValue(notices, new URL(request.url).searchParams.get('notice') ?? ''),
    };
  });
}

const themes = [
  ['system', 'Same as system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const notices: Record<string, string> = {
  address: 'Your e-mail address is changed. The other sessions were ended.',
  'second-factor-off': 'Two-step sign-in is off.',
  name: 'Your name is saved.',
  password: 'Your password is changed. The other sessions were ended. API keys stay valid.',
  email: 'We sent a mail with a link to the new address. Your address changes when you open the link.',
  'end-session': 'The session is ended.',
  'end-others': 'All other sessions are ended.',
};

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { account, passwords, sessions }, webRequest) => {
    const person = args.context.get(sessionContext);
    const intent = form.text('intent');
    let cookies: string[] = [];
    if (intent === 'name') await account.rename(form.text('name'), person);
    else if (intent === 'email') await account.requestEmailChange(form.text('email'), person);
    else if (intent === 'end-session') await sessions.end(person.userId, form.text('session'));
    else if (intent === 'end-others') await sessions.endOthers(person);
    else if (intent === 'password') {
      const input = { currentPassword: form.secret('currentPassword'), newPassword: form.secret('newPassword') };
      cookies = await passwords.change(input, person, webRequest);
    } else throw data({}, { status: 404 });
    // The redirect makes a new request, which shows the new state. A reload then repeats nothing.
    throw redirect(`/account?notice=${intent}`, { headers: cookieHeaders(cookies) });
  });

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, ways, sessions, theme, notice, singleSignOn, workspaces } = loaderData;
  return (
    <>
      <h1 className="text-xl">Your account</h1>
      {notice && !actionData && <Notice kind="ok">{notice}</Notice>}

      <Section title="Name" isCard>
        <PostForm intent="name" failed={actionData}>
          <NameField defaultValue={name} help="Other members of your workspaces see it." />
          <div>
            <SubmitButton kind="secondary">Save name</SubmitButton>
          </div>
        </PostForm>
      </Section>

      <Section title="E-mail address" isCard>
        <PostForm intent="email" failed={actionData}>
          <p>
            Now: <strong className="[overflow-wrap:anywhere]">{email}</strong>
          </p>
          <EmailField
            label="New address"
            autoComplete="email"
            help="The new address gets a link. Opening it changes the address and ends your other sessions."
          />
          <div>
            <SubmitButton kind="secondary">Send the link</SubmitButton>
          </div>
        </PostForm>
      </Section>

      <Section title="Password" isCard>
        {ways.password ? (
          <PostForm intent="password" failed={actionData}>
            <UsernameHint email={email} />
            <CurrentPasswordField label="Current password" name="currentPassword" />
            <NewPasswordField label="New password" name="newPassword" help="The change ends your other sessions." />
            <KeysStay workspaces={workspaces} />
            <div>
              <SubmitButton kind="secondary">Change password</SubmitButton>
            </div>
          </PostForm>
        ) : (
          <p>
            You sign in with {singleSignOn ?? 'your provider'} and have no password here. To set one,{' '}
            <TextLink to="/forgot-password">ask for a link</TextLink> while you are signed out.
          </p>
        )}
      </Section>

      <Section title="Two-step sign-in">
        <Card className="flex flex-wrap items-center justify-between gap-3">
          <div className="grid gap-1">
            {ways.code ? <Badge tone="ok">On</Badge> : <Badge tone="neutral">Off</Badge>}
            <p className="text-quiet">
              {ways.code
                ? 'A sign-in with your password needs a code of your authenticator app.'
                : 'Ask for a code of an authenticator app at each sign-in with your password.'}
            </p>
          </div>
          {ways.password && <ButtonLink to="/account/two-factor">{ways.code ? 'Manage' : 'Turn on'}</ButtonLink>}
        </Card>
      </Section>

      <Section title="Sessions" note={sessions.length === 1 ? '1 session' : `${sessions.length} sessions`}>
        <ul className="grid rounded border bg-raised">
          {sessions.map(({ id, device, address, lastSeenAtMs, signedInAtMs, isCurrent }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-t p-3 first:border-t-0">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-x-2 font-medium">
                  {device}
                  {isCurrent && <Badge tone="ok">This browser</Badge>}
                </p>
                <p className="text-sm text-quiet">
                  <span className="font-mono">{address || 'address not known'}</span> · last active{' '}
                  <Time ms={lastSeenAtMs} /> · signed in <Time ms={signedInAtMs} as="date" />
                </p>
              </div>
              {!isCurrent && (
                <PostForm intent="end-session">
                  <input type="hidden" name="session" value={id} />
                  <SubmitButton kind="secondary" aria-label={`End the session ${device}, ${address}`}>
                    End
                  </SubmitButton>
                </PostForm>
              )}
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <PostForm intent="end-others" className="">
            <SubmitButton kind="secondary">End all other sessions</SubmitButton>
          </PostForm>
        )}
      </Section>

      <Section title="Appearance" isCard>
        <Form method="post" action="/theme" reloadDocument className="grid gap-4">
          <input type="hidden" name="next" value="/account" />
          <SelectField label="Theme" name="theme" defaultValue={theme} options={themes} help="In this browser." />
          <div>
            <Button>Save theme</Button>
          </div>
        </Form>
        <p className="mt-4 border-t pt-4 text-sm text-quiet">
          Times are shown in the time zone of this browser: <ZoneName />. Hover over a time, or focus it, to see it in
          UTC.
        </p>
      </Section>

      <Section title="Your data">
        <Card className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[48ch]">
              Download what is stored about you as JSON: your account, sessions, workspaces and invitations.
            </p>
            <ButtonLink to="/account/export" reloadDocument>
              Download
            </ButtonLink>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
            <p className="max-w-[48ch]">Delete your account, and the workspaces that only you are in.</p>
            <ButtonLink to="/account/delete" kind="danger">
              Delete account
            </ButtonLink>
          </div>
        </Card>
      </Section>
    </>
  );
}

/** Reminds the person that a changed password revokes no key. Somebody who had access to the account may have kept one. */
function KeysStay({ workspaces }: { workspaces: readonly { id: string; name: string }[] }) {
  if (workspaces.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm text-quiet">
      <p>
        API keys stay valid. Did somebody else have your password? Then look through the keys, and revoke those that you
        do not know:
      </p>
      <ul className="flex flex-wrap gap-x-3 gap-y-1">
        {workspaces.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link to={`/workspaces/${id}/settings/keys`} className="link [overflow-wrap:anywhere]">
              Keys of <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const ZoneName = () => <strong>{useTimeZone()}</strong>;
