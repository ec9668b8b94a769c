import { isGeneratedDomain } from '@shopscope/domain-name/generated-domain';
import { data } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { ForeignText, isolatedText } from '../../app/components/foreign-text.tsx';
import { monthName } from '../../app/components/formats.ts';
import { Part, Prose, PublicPage } from '../../app/components/public-page.tsx';
import { type PublicAddresses, StoreSearch } from '../../app/pages/public-layout.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, load } from '../../app/pages/server.ts';
import { Curl } from '../../documentation/pages.ts';
import type { UnseenStore } from '../../stores/operations.ts';
import {
  asWords,
  countryName,
  groupedTechnologies,
  platformIsKnown,
  StoreHeader,
  StoreUnseen,
  statusOf,
} from '../../stores/pages.ts';
import type { PublicStore, PublicTechnology } from '../operations/public-site.ts';
import type { Route } from './+types/store';

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (loaderData?.state === 'no_domain') {
    const description = 'What Shopscope knows about a store, by its domain.';
    return publicMeta(matches, { title: 'No domain of a store · Shopscope', description, isIndexed: false });
  }
  if (loaderData?.state !== 'known') {
    const description = 'Shopscope has no profile of this domain. That is not evidence that it is not a store.';
    return publicMeta(matches, { title: 'Not in the corpus · Shopscope', description, isIndexed: false });
  }
  const { store } = loaderData;
  return publicMeta(matches, {
    title: `${isolatedText(store.name, 80) || store.domain} (${store.domain}) · Shopscope`,
    description: descriptionOf(store),
  });
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, origin } = contextOf(context);
  const answer = await load(context, () => application.publicSite.store(params.domain, origin));
  return data(answer, { status: answer.state === 'known' ? 200 : 404 });
}

function descriptionOf(store: PublicStore): string {
  const names = store.technologies.slice(0, 5).map(({ name }) => isolatedText(name, 40));
  const platform = platformIsKnown(store.platform) ? ` on ${isolatedText(store.platform.name, 40)}` : '';
  const country = countryName(store.geography);
  return [
    ...(isGeneratedDomain(store.domain) ? ['This store is generated for the demo: it does not exist.'] : []),
    `${store.domain} is ${statusOf(store.status.state).word.toLowerCase()}${platform}${country ? ` in ${country}` : ''}.`,
    ...(names.length > 0 ? [`Technologies: ${names.join(', ')}.`] : []),
  ].join(' ');
}

export default function StorePage({ loaderData, matches }: Route.ComponentProps) {
  const addresses = matches[2].loaderData as PublicAddresses;
  if (loaderData.state === 'known') {
    return <KnownStore store={loaderData.store} unseen={loaderData.unseen} addresses={addresses} />;
  }
  if (loaderData.state === 'no_domain') {
    return (
      <PublicPage title="That is not a domain of a store">
        <p className="code">
          <ForeignText text={loaderData.input} max={100} />
        </p>
        <StoreSearch label="Domain of a store" className="max-w-md" />
      </PublicPage>
    );
  }
  return <UnknownStore domain={loaderData.domain} unseen={loaderData.unseen} addresses={addresses} />;
}

interface Props {
  unseen: UnseenStore | undefined;
  addresses: PublicAddresses;
}

const SignInOrCall = ({ dashboardUrl }: PublicAddresses) => (
  <>
    <TextLink to={`${dashboardUrl}/sign-in`}>Sign in</TextLink> or{' '}
    <TextLink to="/docs">read how to call the API</TextLink>.
  </>
);

function KnownStore({ store, unseen, addresses }: Props & { store: PublicStore }) {
  return (
    <>
      <StoreHeader store={store} lastScan={monthName(Date.parse(store.lastScan))} heading="h1" />
      <StoreUnseen unseen={unseen} isKnown />
      <Part title="Technologies">
        <Technologies technologies={store.technologies} />
        {store.inactive > 0 && (
          <p className="text-sm text-quiet">
            {store.inactive === 1 ? 'One technology is' : `${store.inactive} technologies are`} left out: the latest
            scan has not seen {store.inactive === 1 ? 'it' : 'them'} again.
          </p>
        )}
      </Part>
      <Part title="The whole profile">
        <Prose>
          <p>
            This page leaves out the catalogue with its prices, the confirmed changes, and since when each technology
            has been there. The API and the dashboard have them.
          </p>
          <p>
            <SignInOrCall {...addresses} />
          </p>
        </Prose>
        <Curl id="call" label="The whole profile" path={`/v1/stores/${store.domain}`} apiUrl={addresses.apiUrl} />
      </Part>
    </>
  );
}

/** A profile with more entries than this would be hostile. */
const maxShown = 400;

function Technologies({ technologies }: { technologies: readonly PublicTechnology[] }) {
  if (technologies.length === 0) return <p className="text-quiet">The scans have found no technology.</p>;
  return (
    <dl className="grid gap-x-8 gap-y-4 md:grid-cols-[minmax(160px,auto)_1fr]">
      {groupedTechnologies(technologies.slice(0, maxShown)).map((group) => (
        <div
          key={group.category}
          className="grid gap-1 md:col-span-2 md:gap-x-8 md:grid-cols-subgrid md:border-b md:pb-4"
        >
          <dt className="text-quiet [overflow-wrap:anywhere]">{asWords(group.category)}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-4 gap-y-1">
            {group.technologies.map((technology) => (
              <TechnologyName key={`${technology.slug} ${technology.name}`} technology={technology} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A merchant's own theme is not in the vocabulary. */
const ownThemeSlug = 'custom-theme';

function TechnologyName({ technology: { name, slug, install_state } }: { technology: PublicTechnology }) {
  const text = <ForeignText text={name} max={80} />;
  return (
    <span className="min-w-0">
      {slug === ownThemeSlug ? text : <TextLink to={`/technologies/${encodeURIComponent(slug)}`}>{text}</TextLink>}
      {install_state === 'configured' && <span className="text-sm text-quiet"> (set up, not seen working)</span>}
    </span>
  );
}

function UnknownStore({ domain, unseen, addresses }: Props & { domain: string }) {
  return (
    <PublicPage title={`${domain} is not in our corpus`}>
      <StoreUnseen unseen={unseen} isKnown={false} />
      <Prose>
        <p>No scan of this domain has been completed. That is not evidence that it is not a store.</p>
        <p>
          A scan can be requested with an API key that may do so. The profile is here when the scan is complete.{' '}
          <SignInOrCall {...addresses} />
        </p>
      </Prose>
      <Curl
        id="call"
        label="Request a scan"
        path="/v1/stores/enrich"
        post={{ domains: [domain], refresh: true }}
        apiUrl={addresses.apiUrl}
      />
      <StoreSearch label="Domain of another store" className="max-w-md" />
    </PublicPage>
  );
}
