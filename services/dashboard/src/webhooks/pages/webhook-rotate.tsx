import { ButtonLink } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/webhook-rotate';
import { NewWebhookSecret, SecretShownBefore } from './new-secret.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Rotate a secret · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ webhooks }) => webhooks.openForChange(visit, params.webhookId));
  // A form that is sent again has the same token, so the secret is rotated once.
  const token = crypto.randomUUID();
  return { endpoint, token, base: `/workspaces/${params.workspaceId}/webhooks` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { webhooks }) => {
    const given = { overlapHours: form.text('overlap_hours'), token: form.text('token') };
    const visit = workspaceVisit(args.context);
    const { secret } = await webhooks.rotateSecret(visit, args.params.webhookId, given);
    return { secret };
  });

const overlaps = [
  ['0', 'It stops at once'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['72', '3 days'],
  ['168', '7 days'],
] as const;

export default function RotateSecretPage({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoint, base, token } = loaderData;
  const path = `${base}/${endpoint.id}`;
  const trail = [
    { to: base, label: 'Webhooks' },
    { to: path, label: endpoint.host },
  ];
  if (actionData && 'secret' in actionData) {
    return actionData.secret === '' ? (
      <Page title="The secret is rotated already" trail={trail}>
        <SecretShownBefore next={path}>It rotated the secret once, and the new one was shown once.</SecretShownBefore>
      </Page>
    ) : (
      <Page title="Store this secret now" trail={trail}>
        <NewWebhookSecret url={endpoint.url} secret={actionData.secret} next={path} />
      </Page>
    );
  }
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  return (
    <Page
      title="Rotate the secret"
      trail={trail}
      lead="Messages have one signature for each valid secret, so a receiver accepts them with the old one or the new one."
    >
      <Card className="max-w-[520px]">
        <PostForm failed={failed} fields={['overlap_hours']}>
          <input type="hidden" name="token" value={failed?.values.token ?? token} />
          <SelectField
            label="How long the old secret signs"
            name="overlap_hours"
            options={overlaps}
            defaultValue="24"
            help="There are at most two secrets: a second rotation in this time ends the oldest one."
          />
          <div className="flex flex-wrap gap-2">
            <SubmitButton busy="Rotating …">Make a new secret</SubmitButton>
            <ButtonLink kind="quiet" to={path}>
              Cancel
            </ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
