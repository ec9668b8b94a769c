import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/webhook-edit';
import { EndpointFields, endpointFields } from './endpoint-fields.tsx';
import { loadChoices } from './load-choices.server.ts';
import { sentEndpoint } from './sent-endpoint.ts';
import { keepsLoaded, sentOf } from './trials.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Change a webhook · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ webhooks }) => webhooks.openForChange(visit, params.webhookId));
  return { endpoint, ...(await loadChoices(context)), base: `/workspaces/${params.workspaceId}/webhooks` };
}

export const shouldRevalidate = keepsLoaded;

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { webhooks, webhookTrials }) => {
    const visit = workspaceVisit(args.context);
    const { workspaceId, webhookId } = args.params;
    const intent = form.text('intent');
    const sent = sentEndpoint(form);
    if (intent === 'check_url') {
      await webhookTrials.checkUrl(visit, sent.url);
      return { checkedUrl: sent.url };
    }
    if (intent === 'count') return { count: await webhookTrials.countMatches(visit, sent), values: form.typed() };
    await webhooks.change(visit, webhookId, sent);
    throw redirect(`/workspaces/${workspaceId}/webhooks/${webhookId}`);
  });

export default function EditWebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, endpoint, events, watchlists } = loaderData;
  const path = `${base}/${endpoint.id}`;
  const sent = sentOf(actionData);
  return (
    <Page
      title="Change this webhook"
      trail={[
        { to: base, label: 'Webhooks' },
        { to: path, label: endpoint.host },
      ]}
      lead="Messages that wait go to a new URL. Event types and filters apply to events that happen later."
    >
      <PostForm className="grid max-w-[760px] gap-6" failed={sent} fields={endpointFields}>
        <EndpointFields draft={endpoint} events={events} watchlists={watchlists} count={sent?.count} />
        <div className="flex flex-wrap gap-2 border-t pt-5">
          <SubmitButton name="intent" value="change" busy="Saving …">
            Save
          </SubmitButton>
          <ButtonLink kind="quiet" to={path}>
            Cancel
          </ButtonLink>
        </div>
      </PostForm>
    </Page>
  );
}
