import { Form, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { Logo } from '../../app/components/logo.tsx';
import { contextOf, cookieHeaders, load, submit, webRequestOf } from '../../app/pages/server.ts';
import { sessionContext } from '../../app/pages/session.ts';
import type { Route } from './+types/home';

export const meta: Route.MetaFunction = () => [{ title: 'Shopscope' }];

/** Leads to the overview of the person's first workspace. */
export async function loader({ context }: Route.LoaderArgs) {
  const { userId, email } = context.get(sessionContext);
  const { workspaces, freeWorkspaces } = contextOf(context).application;
  const [first] = await load(context, () => workspaces.list(userId));
  if (first) throw redirect(`/workspaces/${first.workspaceId}`);
  return { email, offer: await load(context, () => freeWorkspaces.offer(userId)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { userId } = context.get(sessionContext);
  const { freeWorkspaces } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const webRequest = webRequestOf(request, context);
    const { workspaceId, cookies } = await freeWorkspaces.create(userId, form.text('name'), webRequest);
    throw redirect(`/workspaces/${workspaceId}`, { headers: cookieHeaders(cookies) });
  });
}

export default function Home({ loaderData: { email, offer }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[400px] content-start gap-8 px-4 pt-[12vh] pb-16">
      <Logo />
      {offer ? (
        <>
          <div className="grid gap-2">
            <h1 className="text-2xl">Create your workspace</h1>
            <p className="text-quiet">It has API keys, members and a plan. It starts on the free plan.</p>
          </div>
          <Form method="post" action="/workspaces" className="grid gap-4">
            <FormNotice problem={actionData?.problem} />
            <TextField
              form={actionData}
              label="Name"
              name="name"
              autoComplete="organization"
              required
              maxLength={200}
              help="For example the name of your company. You can change it later."
              defaultValue={offer.name}
            />
            <Button kind="primary" disabled={isBusy}>
              {isBusy ? 'Creating the workspace …' : 'Create workspace'}
            </Button>
          </Form>
        </>
      ) : (
        <div className="grid gap-2">
          <h1 className="text-2xl">You are not in a workspace</h1>
          <p>
            Ask an admin of your workspace to invite <strong className="[overflow-wrap:anywhere]">{email}</strong>. The
            mail has a link that leads here.
          </p>
        </div>
      )}
      <div className="flex flex-wrap gap-2 border-t pt-4">
        <ButtonLink to="/account" kind="quiet">
          Your account
        </ButtonLink>
        <Form method="post" action="/sign-out">
          <Button kind="quiet">Sign out</Button>
        </Form>
      </div>
    </main>
  );
}
