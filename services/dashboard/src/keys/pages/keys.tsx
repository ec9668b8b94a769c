import { isolated } from '@shopscope/text';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { ActorName } from '../../app/components/actor.tsx';
import { ButtonLink } from '../../app/components/button.tsx';
import { FreeCall } from '../../app/components/copy-field.tsx';
import { EmptyState, Page, Section } from '../../app/components/page.tsx';
import { TrailPaging, trailOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, load, workspaceVisit } from '../../app/pages/server.ts';
import type { KeyView } from '../operations/keys.ts';
import type { Route } from './+types/keys';
import { Access, KeyState, LastUsed } from './key-facts.tsx';
import { RevokeLink } from './revoke-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'API keys · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const { publicApiUrl } = contextOf(context).application;
  const { searchParams } = new URL(request.url);
  const trails = { current: trailOf(searchParams, 'keys'), revoked: trailOf(searchParams, 'revoked') };
  const from = { current: trails.current.at(-1) ?? '', revoked: trails.revoked.at(-1) ?? '' };
  const listed = await load(context, ({ keys }) => keys.list(visit, from));
  const { role } = visit.membership;
  return {
    ...listed,
    trails,
    base: `/workspaces/${params.workspaceId}/settings/keys`,
    isAdmin: role === 'admin',
    publicApiUrl,
  };
}

export default function ApiKeysPage({ loaderData }: Route.ComponentProps) {
  const { current, revoked, older, trails, base, isAdmin, publicApiUrl } = loaderData;
  const hasKeys = current.length > 0 || trails.current.length > 0;
  const createKey = isAdmin && (
    <ButtonLink kind="primary" to={`${base}/new`}>
      <Plus aria-hidden className="size-4" />
      Create key
    </ButtonLink>
  );
  return (
    <Page
      title="API keys"
      lead="A key lets a system of yours use the API for this workspace. Keep it on your servers, never in a browser or an app."
      action={hasKeys ? createKey : undefined}
    >
      {hasKeys ? (
        <>
          {current.length > 0 ? (
            <Table label="API keys" columns={currentColumns(base, isAdmin)} rows={current} keyOf={({ id }) => id} />
          ) : (
            <p className="text-quiet">There are no older keys.</p>
          )}
          <TrailPaging label="Pages of the keys" name="keys" trail={trails.current} older={older.current} />
        </>
      ) : (
        <EmptyState title={revoked.length > 0 ? 'No active key' : 'No API key yet'} action={createKey}>
          <p>
            {isAdmin
              ? 'Create a key, keep it in your secret store and send it with every request:'
              : 'An admin of this workspace can create one. A request then looks like this:'}
          </p>
          <div className="mt-3 text-left text-text">
            <FreeCall apiUrl={publicApiUrl} />
          </div>
        </EmptyState>
      )}
      {(revoked.length > 0 || trails.revoked.length > 0) && (
        <Section id="revoked" title="Revoked" note="Listed for 30 days">
          {revoked.length > 0 ? (
            <Table label="Revoked API keys" columns={revokedColumns(base)} rows={revoked} keyOf={({ id }) => id} />
          ) : (
            <p className="text-quiet">There are no keys that were revoked earlier.</p>
          )}
          <TrailPaging
            label="Pages of the revoked keys"
            name="revoked"
            anchor="revoked"
            trail={trails.revoked}
            older={older.revoked}
          />
        </Section>
      )}
    </Page>
  );
}

const label = (base: string): Column<KeyView> => ({
  header: 'Label',
  className: 'md:w-[28%]',
  cell: (key) => (
    <span className="grid">
      <Link to={`${base}/${key.id}`} className="line-clamp-2 rounded font-medium break-words hover:underline">
        <bdi>{key.label}</bdi>
      </Link>
      {key.isOfDashboard && <span className="text-sm text-quiet">The dashboard's own, for Stores</span>}
    </span>
  ),
});
const prefix: Column<KeyView> = {
  header: 'Prefix',
  cell: (key) => <span className="code whitespace-nowrap">{key.prefix}</span>,
};
const access: Column<KeyView> = { header: 'Access', cell: (key) => <Access value={key} />, wideOnly: true };

function currentColumns(base: string, isAdmin: boolean): Column<KeyView>[] {
  const revoke: Column<KeyView> = {
    header: 'Actions',
    hideHeader: true,
    align: 'right',
    cell: (key) => (
      <RevokeLink
        kind="quiet"
        className="-mr-3"
        value={key}
        path={`${base}/${key.id}`}
        aria-label={`Revoke ${isolated(key.label)}`}
      >
        Revoke
      </RevokeLink>
    ),
  };
  return [
    label(base),
    prefix,
    { header: 'State', cell: (key) => <KeyState value={key} withEnd /> },
    access,
    { header: 'Last used', cell: ({ lastUsed }) => <LastUsed value={lastUsed} /> },
    { header: 'Created', cell: (key) => <Created value={key} />, wideOnly: true },
    ...(isAdmin ? [revoke] : []),
  ];
}

function Created({ value: { createdAtMs, createdBy } }: { value: KeyView }) {
  return (
    <span className="grid leading-5">
      <Time ms={createdAtMs} as="date" />
      <span className="max-w-[200px] text-sm text-quiet">
        <ActorName who={createdBy} />
      </span>
    </span>
  );
}

const revokedColumns = (base: string): Column<KeyView>[] => [
  label(base),
  prefix,
  access,
  { header: 'Last used', cell: ({ lastUsed }) => <LastUsed value={lastUsed} /> },
  { header: 'Revoked', cell: ({ revokedAtMs = 0 }) => <Time ms={revokedAtMs} /> },
  {
    header: 'By',
    cell: ({ revokedBy }) =>
      revokedBy ? <ActorName who={revokedBy} /> : <span className="text-quiet">Not recorded</span>,
    wideOnly: true,
  },
];
