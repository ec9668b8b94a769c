import { Pause, Play } from 'lucide-react';
import { data, redirect } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { Card, Page, Section } from '../../app/components/page.tsx';
import { contextOf, load, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/webhook';
import { DeleteWebhookLink } from './delete-webhook-form.tsx';
import { exampleDataOf } from './event-catalogue.server.ts';
import { StateNotice } from './state-notice.tsx';
import { TestSend } from './test-send.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookState } from './webhook-state.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Webhook · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ webhooks }) => webhooks.get(visit, params.webhookId));
  const { watchlists } = contextOf(context).application;
  const choices = endpoint.watchlistIds.length > 0 && (await loadPart(context, watchlists.choices(visit))).value;
  const names = Object.fromEntries((choices || { watchlists: [] }).watchlists.map(({ id, name }) => [id, name]));
  const isAdmin = visit.membership.role === 'admin';
  return { endpoint, watchlistNames: names, isAdmin, workspace: `/workspaces/${params.workspaceId}` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { webhooks, webhookTrials }) => {
    const visit = workspaceVisit(args.context);
    const { workspaceId, webhookId } = args.params;
    const intent = form.text('intent');
    if (intent === 'test') {
      const type = form.text('type');
      const example = JSON.stringify(exampleDataOf(args.context, type));
      return { test: await webhookTrials.sendTest(visit, webhookId, { type, data: example }) };
    }
    if (intent === 'pause') await webhooks.setState(visit, webhookId, 'paused');
    else if (intent === 'resume') await webhooks.setState(visit, webhookId, 'active');
    else throw data({}, { status: 404 });
    throw redirect(`/workspaces/${workspaceId}/webhooks/${webhookId}`);
  });

export default function WebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoint, watchlistNames, isAdmin, workspace } = loaderData;
  const base = `${workspace}/webhooks`;
  const path = `${base}/${endpoint.id}`;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const test = actionData && 'test' in actionData ? actionData.test : undefined;
  return (
    <Page
      title={endpoint.url}
      trail={[{ to: base, label: 'Webhooks' }]}
      lead={
        <>
          <WebhookState state={endpoint.state} />
          {endpoint.description !== '' && (
            <>
              {' · '}
              <bdi className="[overflow-wrap:anywhere]">{endpoint.description}</bdi>
            </>
          )}
        </>
      }
      action={isAdmin && <StateButton state={endpoint.state} failed={failed} />}
    >
      <WebhookTabs base={base} id={endpoint.id} />
      <StateNotice endpoint={endpoint} isAdmin={isAdmin} />
      <Section title="Settings" action={isAdmin && <ButtonLink to={`${path}/edit`}>Change</ButtonLink>}>
        <Card>
          <WebhookFacts
            endpoint={endpoint}
            watchlistNames={watchlistNames}
            watchlistsPath={`${workspace}/watchlists`}
          />
        </Card>
      </Section>
      {isAdmin && (
        <>
          <Section id="test" title="Test" isCard>
            <TestSend eventTypes={endpoint.eventTypes} test={test} failed={failed} />
          </Section>
          <Section title="Secret" isCard>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="max-w-[60ch] text-quiet">
                A rotation makes a new secret. For some hours both sign, so that your receiver can change over.
              </p>
              <ButtonLink to={`${path}/rotate`}>Rotate the secret</ButtonLink>
            </div>
          </Section>
          <p>
            <DeleteWebhookLink endpoint={endpoint} path={path} kind="danger" />
          </p>
        </>
      )}
    </Page>
  );
}

type Data = Route.ComponentProps['loaderData'];

function StateButton({
  state,
  failed,
}: Pick<Data['endpoint'], 'state'> & { failed: Parameters<typeof PostForm>[0]['failed'] }) {
  const isActive = state === 'active';
  const Icon = isActive ? Pause : Play;
  return (
    <PostForm intent={isActive ? 'pause' : 'resume'} failed={failed} className="grid gap-2">
      <Button kind={isActive ? 'secondary' : 'primary'}>
        <Icon aria-hidden className="size-4" />
        {isActive ? 'Pause' : state === 'paused' ? 'Resume' : 'Revive'}
      </Button>
    </PostForm>
  );
}
