import { Plus } from 'lucide-react';
import { ButtonLink, RowLink } from '../../app/components/button.tsx';
import { EmptyState, Page } from '../../app/components/page.tsx';
import { TrailPaging, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';
import type { Route } from './+types/webhooks';
import { eventTypesOf } from './event-catalogue.server.ts';
import { EventsText, WebhookHealth, WebhookState } from './webhook-state.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Webhooks · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const trail = trailOf(new URL(request.url).searchParams, 'page');
  const page = await load(context, ({ webhooks }) => webhooks.list(visit, trail.at(-1) ?? ''));
  const isAdmin = visit.membership.role === 'admin';
  const types = eventTypesOf(context).length;
  return { ...page, trail, isAdmin, types, base: `/workspaces/${params.workspaceId}/webhooks` };
}

export default function WebhooksPage({ loaderData }: Route.ComponentProps) {
  const { endpoints, older, trail, isAdmin, types, base } = loaderData;
  const create = isAdmin && (
    <ButtonLink kind="primary" to={`${base}/new`}>
      <Plus aria-hidden className="size-4" />
      New webhook
    </ButtonLink>
  );
  return (
    <Page
      title="Webhooks"
      lead="Shopscope sends the events of this workspace to your servers, signed and repeated until they arrive."
      action={endpoints.length > 0 && create}
    >
      {endpoints.length === 0 && trail.length === 0 && (
        <EmptyState title="No webhooks yet" action={create}>
          A webhook is a URL of yours that receives events: signals of watched stores, scans, jobs and limits. Webhooks
          are free.
          {!isAdmin && ' An admin of this workspace can create one.'}
        </EmptyState>
      )}
      {endpoints.length > 0 && (
        <Table label="Webhooks" columns={columns(base, types)} rows={endpoints} keyOf={({ id }) => id} />
      )}
      <TrailPaging label="Pages of webhooks" name="page" trail={trail} older={older} />
    </Page>
  );
}

const columns = (base: string, types: number): Column<EndpointView>[] => [
  {
    header: 'URL',
    className: 'md:w-[40%]',
    cell: ({ id, url, description }) => (
      <span className="grid">
        <RowLink to={`${base}/${id}`}>{url}</RowLink>
        {description !== '' && (
          <span className="text-sm text-quiet [overflow-wrap:anywhere]">
            <bdi>{description}</bdi>
          </span>
        )}
      </span>
    ),
  },
  { header: 'Events', cell: ({ eventTypes }) => <EventsText eventTypes={eventTypes} total={types} /> },
  { header: 'State', cell: (endpoint) => <WebhookState {...endpoint} /> },
  { header: 'Health', cell: (endpoint) => <WebhookHealth {...endpoint} /> },
];
