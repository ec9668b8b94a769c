import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/webhook-new';
import { EndpointFields, endpointFields } from './endpoint-fields.tsx';
import { loadChoices } from './load-choices.server.ts';
import { NewWebhookSecret, SecretShownBefore } from './new-secret.tsx';
import { sentEndpoint } from './sent-endpoint.ts';
import { keepsLoaded, sentOf } from './trials.ts';

export const meta: Route.MetaFunction = () => [{ title: 'New webhook · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  await load(context, ({ webhooks }) => webhooks.openForCreation(workspaceVisit(context)));
  // A form that is sent again has the same token, so it creates no second webhook.
  const token = crypto.randomUUID();
  return { ...(await loadChoices(context)), token, base: `/workspaces/${params.workspaceId}/webhooks` };
}

export const shouldRevalidate = keepsLoaded;

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { webhooks, webhookTrials }) => {
    const visit = workspaceVisit(args.context);
    const intent = form.text('intent');
    const sent = sentEndpoint(form);
    if (intent === 'check_url') {
      await webhookTrials.checkUrl(visit, sent.url);
      return { checkedUrl: sent.url };
    }
    if (intent === 'count') return { count: await webhookTrials.countMatches(visit, sent), values: form.typed() };
    const { endpoint, secret } = await webhooks.create(visit, { ...sent, token: form.text('token') });
    return { created: { id: endpoint.id, url: endpoint.url }, secret };
  });

const draft = {
  url: '',
  description: '',
  eventTypes: ['signal.confirmed', 'signal.retracted'],
  watchlistIds: [],
  filters: {
    signalTypes: [],
    technologies: [],
    categories: [],
    platforms: [],
    countries: [],
    industries: [],
    confidenceMin: '',
  },
  maxPerMinute: undefined,
  headerNames: [],
};

export default function NewWebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, events, watchlists, token } = loaderData;
  const trail = [{ to: base, label: 'Webhooks' }];
  if (actionData && 'created' in actionData && actionData.created) {
    const { created, secret } = actionData;
    const next = `${base}/${created.id}`;
    return secret === '' ? (
      <Page title="This webhook exists already" trail={trail}>
        <SecretShownBefore next={next}>
          It made one webhook, and its secret was shown once. No second webhook was created.
        </SecretShownBefore>
      </Page>
    ) : (
      <Page title="Store this secret now" trail={trail}>
        <NewWebhookSecret url={created.url} secret={secret} next={next} />
      </Page>
    );
  }
  const sent = sentOf(actionData);
  return (
    <Page title="New webhook" trail={trail} lead="Webhooks are free. Its secret is shown once, after it is created.">
      <PostForm className="grid max-w-[760px] gap-6" failed={sent} fields={endpointFields}>
        <input type="hidden" name="token" value={sent?.values?.token ?? token} />
        <EndpointFields draft={draft} events={events} watchlists={watchlists} count={sent?.count} />
        <div className="flex flex-wrap gap-2 border-t pt-5">
          <SubmitButton name="intent" value="create" busy="Creating …">
            Create webhook
          </SubmitButton>
          <ButtonLink kind="quiet" to={base}>
            Cancel
          </ButtonLink>
        </div>
      </PostForm>
    </Page>
  );
}
