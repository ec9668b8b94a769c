import { data, redirect } from 'react-router';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { FormNotice, PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card } from '../../app/components/page.tsx';
import { cookieHeaders, load, sessionContext, submit, webRequestOf } from '../../app/pages/server.ts';
import type { Route } from './+types/second-factor-set-up';
import { BackupCodes } from './backup-codes.tsx';
import { CodeField } from './fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Turn on two-step sign-in · Shopscope' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = context.get(sessionContext);
  const webRequest = webRequestOf(request, context);
  return { pending: await load(context, ({ secondFactor }) => secondFactor.pending(person, webRequest)) };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { secondFactor }, webRequest) => {
    const person = args.context.get(sessionContext);
    if (form.text('intent') === 'cancel') {
      await secondFactor.cancel(person);
      throw redirect('/account');
    }
    const { backupCodes, cookies } = await secondFactor.enable(form.text('code'), person, webRequest);
    return data({ backupCodes }, { headers: cookieHeaders(cookies) });
  });

export default function SecondFactorSetUp({ loaderData: { pending }, actionData }: Route.ComponentProps) {
  if (actionData && 'backupCodes' in actionData) {
    return (
      <>
        <h1 className="text-xl">Two-step sign-in is on</h1>
        <p className="max-w-[68ch]">
          Your other sessions were ended. Store these backup codes: they sign you in when you do not have the app.
        </p>
        <BackupCodes codes={actionData.backupCodes} next="/account" />
      </>
    );
  }
  if (!pending) {
    return (
      <>
        <h1 className="text-xl">There is nothing to confirm</h1>
        <p>Two-step sign-in is on already, or it was not begun.</p>
        <p>
          <ButtonLink to="/account/two-factor">Go to two-step sign-in</ButtonLink>
        </p>
      </>
    );
  }
  const { qr, secret, link } = pending;
  return (
    <>
      <h1 className="text-xl">Turn on two-step sign-in</h1>
      <Card className="grid gap-4">
        <h2 className="text-lg">1. Add Shopscope to your authenticator app</h2>
        <p>Scan this code with the app.</p>
        <svg
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          className="size-48 rounded border bg-white text-black"
          role="img"
          aria-label="QR code with the secret for your authenticator app"
          shapeRendering="crispEdges"
        >
          <path d={qr.path} fill="currentColor" />
        </svg>
        <p>
          On this device, <TextLink to={link}>open your app</TextLink>. Or type the secret into it:
        </p>
        <CopyField value={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="the secret" />
      </Card>
      <Card>
        <PostForm failed={actionData} hasOwnNotice>
          <h2 className="text-lg">2. Enter the code that the app shows</h2>
          <FormNotice problem={actionData?.problem} />
          <CodeField inputMode="numeric" className="sm:w-40" />
          <div className="flex flex-wrap gap-2">
            <SubmitButton>Turn on</SubmitButton>
            <SubmitButton kind="secondary" name="intent" value="cancel" formNoValidate>
              Cancel
            </SubmitButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
