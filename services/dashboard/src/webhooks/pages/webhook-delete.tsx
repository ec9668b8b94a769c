import { redirect } from 'react-router';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/webhook-delete';
import { DeleteWebhookForm } from './delete-webhook-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Delete a webhook · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ webhooks }) => webhooks.openForChange(visit, params.webhookId));
  return { endpoint, base: `/workspaces/${params.workspaceId}/webhooks` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { webhooks }) => {
    const { workspaceId, webhookId } = args.params;
    await webhooks.deleteEndpoint(workspaceVisit(args.context), webhookId, form.text('host'));
    throw redirect(`/workspaces/${workspaceId}/webhooks`);
  });

/** The dialog of the webhook as a separate page, for browsers without script and after a confirmation of the session. */
export default function DeleteWebhookPage({ loaderData: { endpoint, base }, actionData }: Route.ComponentProps) {
  const path = `${base}/${endpoint.id}`;
  return (
    <Page
      title="Delete this webhook"
      trail={[
        { to: base, label: 'Webhooks' },
        { to: path, label: endpoint.host },
      ]}
    >
      <Card className="max-w-[520px]">
        <DeleteWebhookForm endpoint={endpoint} path={path} back={path} failed={actionData} />
      </Card>
    </Page>
  );
}
