import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Notice, Page } from '../../app/components/page.tsx';
import { contextOf, load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { shownUrl } from '../domain/shown-url.ts';
import type { Route } from './+types/replay';

export const meta: Route.MetaFunction = () => [{ title: 'Replay events · Shopscope' }];

const minuteMs = 60_000;
const dayMs = 86_400_000;

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ replays }) => replays.open(visit, params.webhookId));
  const nowMs = contextOf(context).application.usage.nowMs();
  const asField = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  return {
    endpoint,
    // The minute of `to` belongs to the span, so the 30 days begin a minute later.
    span: { first: asField(nowMs - 30 * dayMs + minuteMs), from: asField(nowMs - dayMs), to: asField(nowMs) },
    // A form that is sent again has the same token, so it starts no second job.
    token: crypto.randomUUID(),
    base: `/workspaces/${params.workspaceId}/webhooks`,
  };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { replays }) => {
    const { workspaceId, webhookId } = args.params;
    const jobId = await replays.start(workspaceVisit(args.context), {
      webhookId,
      from: form.text('from'),
      to: form.text('to'),
      only: form.text('only'),
      eventTypes: form.texts('event_types'),
      token: form.text('token'),
    });
    throw redirect(`/workspaces/${workspaceId}/jobs/${jobId}`);
  });

export default function ReplayPage({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoint, span, token, base } = loaderData;
  const path = `${base}/${endpoint.id}`;
  const values = actionData?.values ?? {};
  const ticked = values.event_types?.split(' ');
  return (
    <Page
      title="Replay events"
      trail={[
        { to: base, label: 'Webhooks' },
        { to: path, label: shownUrl(endpoint.url) },
      ]}
      lead="Events of the last 30 days are delivered to this webhook again, with the same webhook-id, behind new events."
    >
      {endpoint.state === 'disabled' && (
        <Notice kind="warning" title="The webhook is disabled">
          Activate it before: a disabled webhook receives nothing.
        </Notice>
      )}
      <Card className="max-w-[68ch]">
        <PostForm failed={actionData} fields={['from', 'to']}>
          <input type="hidden" name="token" value={values.token ?? token} />
          <div className="grid gap-3 sm:grid-cols-2">
            <Moment label="From (UTC)" name="from" value={span.from} span={span} />
            <Moment label="To (UTC)" name="to" value={span.to} span={span} />
          </div>
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium">Which events</legend>
            <Only value="failed" title="Failed ones" isChosen={values.only !== 'all'}>
              Events whose delivery has failed or is being retried.
            </Only>
            <Only value="all" title="All" isChosen={values.only === 'all'}>
              All events that match the webhook now, also those that arrived, and those that it missed while it was
              disabled.
            </Only>
          </fieldset>
          <fieldset className="grid gap-1">
            <legend className="mb-2 font-medium">Types</legend>
            {endpoint.eventTypes.map((type) => (
              <label key={type} className="flex min-h-10 items-center gap-3 md:min-h-8">
                <input
                  type="checkbox"
                  name="event_types"
                  value={type}
                  defaultChecked={ticked?.includes(type) ?? true}
                  className="size-4 accent-accent"
                />
                <span className="code">{type}</span>
              </label>
            ))}
            <p className="text-sm text-quiet">Without a tick, all of them are replayed.</p>
          </fieldset>
          <div className="flex flex-wrap gap-2">
            <SubmitButton busy="Starting…" disabled={endpoint.state === 'disabled'}>
              Start the replay
            </SubmitButton>
            <ButtonLink to={path}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

const Moment = (props: { label: string; name: string; value: string; span: { first: string; to: string } }) => (
  <TextField
    type="datetime-local"
    label={props.label}
    name={props.name}
    defaultValue={props.value}
    min={props.span.first}
    max={props.span.to}
    required
  />
);

const Only = (props: { value: string; title: string; isChosen: boolean; children: string }) => (
  <label className="flex items-start gap-3 rounded border p-3 has-checked:border-accent has-checked:bg-accent-soft">
    <input
      type="radio"
      name="only"
      value={props.value}
      defaultChecked={props.isChosen}
      className="mt-1 size-4 accent-accent"
    />
    <span className="grid gap-0.5">
      <span className="font-medium">{props.title}</span>
      <span className="text-sm text-quiet">{props.children}</span>
    </span>
  </label>
);
