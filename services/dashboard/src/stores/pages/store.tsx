import type { ReactNode } from 'react';
import { Link, redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { EmptyState, Page } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import { billedText } from '../../usage/pages.ts';
import type { StoreMatch } from '../domain/store.ts';
import type { LookupView } from '../operations/stores.ts';
import type { Route } from './+types/store';
import { StoreHeader } from './store-header.tsx';
import { StoreProfile } from './store-profile.tsx';
import { StoreUnseen } from './store-unseen.tsx';

export const meta: Route.MetaFunction = ({ params }) => [{ title: `${params.domain} · Shopscope` }];

/** The stored answer of a look-up. Without the id of a look-up, redirects to the form, because a GET of this page must not be billed. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { workspaceId, domain } = params;
  const base = `/workspaces/${workspaceId}/stores`;
  const id = new URL(request.url).searchParams.get('lookup');
  if (id === null) throw redirect(`${base}?${new URLSearchParams({ domain })}`);
  const visit = workspaceVisit(context);
  const [lookup, unseen] = await load(context, ({ stores }) =>
    Promise.all([stores.get(visit, domain, id), stores.unseen(visit, domain)]),
  );
  return { base, lookup, unseen };
}

export default function StorePage({ loaderData: { base, lookup, unseen } }: Route.ComponentProps) {
  const { domain, store, match, scanJobId } = lookup;
  const scanLink = (
    <ButtonLink kind={store ? 'secondary' : 'primary'} to={`${base}/${domain}/scan`}>
      {store ? 'Scan again' : 'Request a scan'}
    </ButtonLink>
  );
  return (
    <Page
      title={domain}
      trail={[{ to: base, label: 'Stores' }]}
      lead={<Billed lookup={lookup} />}
      action={
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`${base.replace(/stores$/, 'watchlists')}/new?${new URLSearchParams({ domain })}`}>
            Watch this store
          </ButtonLink>
          <ButtonLink to={`${base}?${new URLSearchParams({ domain })}`}>Look up again</ButtonLink>
        </div>
      }
    >
      {scanJobId && (
        <p>
          A scan of this domain was requested.{' '}
          <Link to={`${base}/scans/${scanJobId}`} className="link">
            See how far it is
          </Link>
        </p>
      )}
      <StoreUnseen unseen={unseen} isKnown={store !== undefined} />
      {store ? (
        <>
          <StoreHeader
            store={store}
            lastScan={<Time ms={Date.parse(store.observation.last_completed_scan_at)} />}
            freshness={match === 'stale' ? 'stale for your plan' : 'fresh for your plan'}
            action={match === 'stale' && !scanJobId ? scanLink : undefined}
          />
          <StoreProfile store={store} />
        </>
      ) : (
        <NoProfile match={match} action={scanJobId ? undefined : scanLink} />
      )}
    </Page>
  );
}

function NoProfile({ match, action }: { match: StoreMatch; action: ReactNode }) {
  if (match === 'error') {
    return <EmptyState title="Not a domain">The API does not take this for the domain of a store.</EmptyState>;
  }
  if (match !== 'no_match') {
    return (
      <EmptyState title="Answered, but this page cannot draw it">
        The API has a profile of this domain, in a form that this version of the dashboard does not know. The look-up
        stays billed. Programs can read the profile from the API.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Not in the corpus" action={action}>
      <p>
        No scan of this domain has been completed. That is not evidence that it is not a shop. A scan visits the domain
        and adds what it finds to the corpus, usually within minutes.
      </p>
    </EmptyState>
  );
}

function Billed({ lookup: { atMs, billed, kind } }: { lookup: LookupView }) {
  return (
    <>
      {kind === 'scan' ? 'Answer to a request for a scan' : 'Looked up'} <Time ms={atMs} />, billed {billedText(billed)}
      . Loading this page again bills nothing.
    </>
  );
}
