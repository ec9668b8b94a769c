import { redirect } from 'react-router';
import { Button, RefreshLink, TextLink } from '../../app/components/button.tsx';
import { CopyButton } from '../../app/components/copy-field.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { LiveStatus } from '../../app/components/live-status.tsx';
import { Card, Page, Quiet, Section } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { useLive } from '../../app/pages/live.ts';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { shownUrl } from '../domain/shown-url.ts';
import type { Route } from './+types/delivery';
import { AttemptTable } from './attempt-table.tsx';
import { DeliveryBadge } from './delivery-state.tsx';
import { type DeliveryStatus, readDelivery } from './load-delivery.ts';
import { SentMessage } from './sent-message.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Delivery · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const status = await load(context, () => readDelivery(context, params.deliveryId));
  const isAdmin = workspaceVisit(context).membership.role === 'admin';
  return { status, isAdmin, base: `/workspaces/${params.workspaceId}/webhooks` };
}

/** Has the delivery sent again. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (_form, { deliveries }) => {
    const { workspaceId, deliveryId } = args.params;
    await deliveries.retry(workspaceVisit(args.context), deliveryId);
    throw redirect(`/workspaces/${workspaceId}/webhooks/deliveries/${deliveryId}`);
  });

const hasEnded = ({ delivery: { state, nextAttemptAtMs } }: DeliveryStatus): boolean =>
  (state === 'succeeded' || state === 'failed') && nextAttemptAtMs === undefined;

export default function DeliveryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { status, isAdmin, base } = loaderData;
  const path = `${base}/deliveries/${status.delivery.id}`;
  const live = useLive(status, `${path}/status`, { isDone: hasEnded });
  const { delivery, body, endpoint, nowMs } = live.data;
  const { eventId, eventType, sequence, state, attempts, nextAttemptAtMs, createdAtMs, webhookId } = delivery;
  return (
    <Page
      title={eventType}
      trail={[
        { to: base, label: 'Webhooks' },
        { to: `${base}/deliveries${endpoint ? `?webhook=${webhookId}` : ''}`, label: 'Deliveries' },
      ]}
      lead={<span className="code">{eventId}</span>}
      action={<CopyButton value={delivery.id} label="the id of the delivery" />}
    >
      <Card className="grid gap-4">
        <Facts
          facts={{
            State: (
              <span role="status">
                <DeliveryBadge state={state} />
              </span>
            ),
            Webhook: endpoint ? (
              <TextLink to={`${base}/${endpoint.id}`}>{shownUrl(endpoint.url)}</TextLink>
            ) : (
              <Quiet>deleted</Quiet>
            ),
            'Next attempt': nextAttemptAtMs === undefined ? <Quiet>none</Quiet> : <Time ms={nextAttemptAtMs} />,
            Created: <Time ms={createdAtMs} as="second" />,
            Sequence: <span className="amount">{sequence}</span>,
          }}
        />
        {!hasEnded(live.data) && (
          <div className="flex flex-wrap items-center gap-2">
            <LiveStatus state={live.state} nowMs={nowMs} />
            <RefreshLink />
          </div>
        )}
        <RetryForm endpoint={endpoint} isAdmin={isAdmin} failed={actionData} />
      </Card>
      <Section title="Attempts" note="Times are those of the start">
        {attempts.length === 0 ? (
          <p className="text-quiet">Nothing was sent yet.</p>
        ) : (
          <AttemptTable attempts={attempts} />
        )}
      </Section>
      <SentMessage delivery={delivery} body={body} headerNames={endpoint?.headerNames ?? []} />
    </Page>
  );
}

const reasons = {
  paused: 'The webhook is paused. Resume it before.',
  disabled: 'The webhook is disabled. Activate it before.',
  deleted: 'The webhook is deleted.',
};

function RetryForm(props: Pick<DeliveryStatus, 'endpoint'> & { isAdmin: boolean; failed: FailedForm | undefined }) {
  const { endpoint, isAdmin, failed } = props;
  if (!isAdmin) return <p className="text-sm text-quiet">An admin of this workspace can have it sent again.</p>;
  const state = endpoint?.state ?? 'deleted';
  const isActive = state === 'active';
  return (
    <PostForm failed={failed} fields={[]} className="flex flex-wrap items-center gap-3">
      <Button disabled={!isActive} aria-describedby="retry-note">
        Retry now
      </Button>
      <span id="retry-note" className="text-sm text-quiet">
        {isActive ? 'One more attempt, with the same webhook-id.' : reasons[state]}
      </span>
    </PostForm>
  );
}
