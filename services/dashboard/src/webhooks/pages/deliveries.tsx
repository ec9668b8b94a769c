import { ButtonLink, RefreshLink, RowLink } from '../../app/components/button.tsx';
import { EmptyState, Page, Quiet } from '../../app/components/page.tsx';
import { TrailPaging, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, load, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import { type DeliveryFilter, deliveryFilterOf } from '../domain/delivery-filter.ts';
import type { DeliveryView } from '../domain/delivery-view.ts';
import type { Route } from './+types/deliveries';
import { AttemptStatus } from './attempt.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryBadge } from './delivery-state.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Deliveries · Shopscope' }];

/** `?webhook=` has the deliveries of one endpoint. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const search = new URL(request.url).searchParams;
  const filter = deliveryFilterOf(search);
  const trail = trailOf(search, 'before');
  const { deliveries } = contextOf(context).application;
  const [page, names] = await Promise.all([
    load(context, () => deliveries.page(visit, filter, trail.at(-1))),
    // Without them the page names endpoints by their ids.
    loadPart(context, deliveries.endpointNames(visit)),
  ]);
  const base = `/workspaces/${params.workspaceId}/webhooks`;
  return { ...page, names: names.value ?? {}, filter, trail, base, isAdmin: visit.membership.role === 'admin' };
}

export default function DeliveriesPage({ loaderData }: Route.ComponentProps) {
  const { deliveries, older, names, filter, trail, base, isAdmin } = loaderData;
  const { webhookId } = filter;
  const isOfOne = names[webhookId] !== undefined;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Page
      title="Deliveries"
      trail={[
        { to: base, label: 'Webhooks' },
        ...(isOfOne ? [{ to: `${base}/${webhookId}`, label: names[webhookId] ?? '' }] : []),
      ]}
      lead="Each event for each webhook, with what your server answered. Deliveries are kept for 30 days."
      action={isOfOne && isAdmin && <ButtonLink to={`${base}/${webhookId}/replay`}>Replay events</ButtonLink>}
    >
      {isOfOne && <WebhookTabs base={base} id={webhookId} />}
      {(deliveries.length > 0 || isFiltered) && <DeliveryFilters filter={filter} names={names} />}
      {deliveries.length === 0 && <Empty filter={filter} base={base} isPastEnd={trail.length > 0} />}
      {deliveries.length > 0 && (
        <Table label="Deliveries" columns={columns(base, names)} rows={deliveries} keyOf={({ id }) => id} />
      )}
      <TrailPaging label="Pages of deliveries" name="before" trail={trail} older={older} />
      <RefreshLink />
    </Page>
  );
}

function Empty({ filter, base, isPastEnd }: { filter: DeliveryFilter; base: string; isPastEnd: boolean }) {
  const isNarrowed = filter.state !== undefined || filter.eventId !== '' || filter.time !== undefined;
  if (isNarrowed || isPastEnd) {
    const all = filter.webhookId === '' ? '?' : `?webhook=${filter.webhookId}`;
    return (
      <EmptyState
        title={isNarrowed ? 'No matching deliveries' : 'No further deliveries'}
        action={<ButtonLink to={all}>Show all deliveries</ButtonLink>}
      >
        {isNarrowed ? 'No delivery of the last 30 days matches all filters.' : 'There are no older deliveries.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet" action={<ButtonLink to={base}>Open your webhooks</ButtonLink>}>
      An event that matches an active webhook appears here within seconds, with every attempt. A test of a webhook is no
      delivery.
    </EmptyState>
  );
}

const columns = (base: string, names: Readonly<Record<string, string>>): Column<DeliveryView>[] => [
  {
    header: 'Event',
    cell: ({ id, eventType }) => (
      <span className="whitespace-nowrap">
        <RowLink to={`${base}/deliveries/${id}`}>{eventType}</RowLink>
      </span>
    ),
  },
  {
    header: 'Webhook',
    wideOnly: true,
    className: 'md:max-w-80',
    cell: ({ webhookId }) => (
      <span className="code block truncate text-quiet" title={names[webhookId]}>
        {names[webhookId] ?? webhookId}
      </span>
    ),
  },
  { header: 'State', cell: ({ state }) => <DeliveryBadge state={state} /> },
  {
    header: 'Latest attempt',
    cell: ({ attempts }) => {
      const latest = attempts.at(-1);
      return latest ? <AttemptStatus status={latest.status} /> : <Quiet>none</Quiet>;
    },
  },
  {
    header: 'Attempts',
    align: 'right',
    wideOnly: true,
    cell: ({ attempts }) => <span className="amount">{attempts.length}</span>,
  },
  {
    header: 'Next attempt',
    cell: ({ nextAttemptAtMs }) => nextAttemptAtMs !== undefined && <Time ms={nextAttemptAtMs} />,
  },
  {
    header: 'Created',
    cell: ({ createdAtMs }) => <Time ms={createdAtMs} as="second" />,
    className: 'md:whitespace-nowrap',
  },
];
