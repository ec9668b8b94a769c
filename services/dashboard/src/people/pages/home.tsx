import { Form, redirect } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Logo } from '../../app/components/logo.tsx';
import { cookieHeaders, load, sessionContext, submit } from '../../app/pages/server.ts';
import type { Route } from './+types/home';
import { NewWorkspaceField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Shopscope' }];

/** Redirects to the overview of the person's first workspace. */
export async function loader({ context }: Route.LoaderArgs) {
  const { userId, email } = context.get(sessionContext);
  const [first] = await load(context, ({ workspaces }) => workspaces.list(userId));
  if (first) throw redirect(`/workspaces/${first.workspaceId}`);
  return { email, offer: await load(context, ({ freeWorkspaces }) => freeWorkspaces.offer(userId)) };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { freeWorkspaces }, webRequest) => {
    const { userId } = args.context.get(sessionContext);
    const { workspaceId, cookies } = await freeWorkspaces.create(userId, form.text('name'), webRequest);
    throw redirect(`/workspaces/${workspaceId}`, { headers: cookieHeaders(cookies) });
  });

export default function Home({ loaderData: { email, offer }, actionData }: Route.ComponentProps) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[400px] content-start gap-8 px-4 pt-[12vh] pb-16">
      <Logo />
      {offer ? (
        <>
          <div className="grid gap-2">
            <h1 className="text-2xl">Create your workspace</h1>
            <p className="text-quiet">It has API keys, members and a plan. It starts on the free plan.</p>
          </div>
          <PostForm action="/workspaces" failed={actionData}>
            <NewWorkspaceField defaultValue={offer.name} />
            <SubmitButton busy="Creating the workspace …">Create workspace</SubmitButton>
          </PostForm>
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
