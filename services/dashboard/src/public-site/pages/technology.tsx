import { data } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { Part, Prose, PublicPage } from '../../app/components/public-page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, load } from '../../app/pages/server.ts';
import { asWords, platformIsKnown } from '../../stores/pages.ts';
import type { Route } from './+types/technology';

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData?.technology
    ? publicMeta(matches, {
        title: `${loaderData.technology.name} at online stores · Shopscope`,
        description: `${loaderData.technology.name}: ${asWords(loaderData.technology.kind).toLowerCase()}, ${asWords(loaderData.technology.category).toLowerCase()}. How many online stores use it, and on which platforms.`,
      })
    : publicMeta(matches, {
        title: 'No such technology · Shopscope',
        description: 'Unknown technology.',
        isIndexed: false,
      });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, origin } = contextOf(context);
  const found = await load(context, () => application.publicSite.technology(params.slug, origin));
  return data({ technology: found?.technology, usage: found?.usage }, { status: found?.technology ? 200 : 404 });
}

type Usage = NonNullable<Route.ComponentProps['loaderData']['usage']>;

export default function TechnologyPage({ loaderData: { technology, usage } }: Route.ComponentProps) {
  if (!technology) {
    return (
      <PublicPage title="There is no such technology">
        <p>
          <TextLink to="/technologies">All technologies that a scan can recognize</TextLink>
        </p>
      </PublicPage>
    );
  }
  const { name, kind, category, vendor, website } = technology;
  return (
    <PublicPage
      title={name}
      lead={
        <>
          {asWords(kind)} ·{' '}
          <TextLink to={`/technologies?category=${encodeURIComponent(category)}`}>{asWords(category)}</TextLink>
        </>
      }
    >
      <Facts
        className="gap-x-8 sm:grid-cols-3"
        facts={{
          Vendor: vendor,
          Website: <Website url={website} />,
          'Slug in the API': <span className="code">{technology.slug}</span>,
        }}
      />
      <Part title="Stores that use it">
        {usage ? <UsageOf name={name} usage={usage} /> : <p className="text-quiet">Not counted yet.</p>}
      </Part>
    </PublicPage>
  );
}

/** The website of a vendor; a link if it is a valid address. */
function Website({ url }: { url: string }) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return url;
  return (
    <a href={url} rel="nofollow noopener noreferrer" className="link">
      {new URL(url).host}
    </a>
  );
}

type PlatformRow = Usage['platforms'][number] & { href?: string };

/** `most`: the number of stores of the longest bar. */
const columns = (most: number): Column<PlatformRow>[] => [
  {
    header: 'Platform',
    cell: ({ name, href }) => (href === undefined ? name : <TextLink to={href}>{name}</TextLink>),
    className: '[overflow-wrap:anywhere]',
  },
  {
    header: 'Stores',
    align: 'right',
    cell: ({ stores }) => <span className="amount">{stores.toLocaleString('en')}</span>,
  },
  {
    header: 'Share',
    hideHeader: true,
    wideOnly: true,
    className: 'md:w-1/2',
    cell: ({ stores }) => (
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full">
        <rect width={(stores / most) * 100} height="8" className="fill-series-1" />
      </svg>
    ),
  },
];

function UsageOf({ name, usage }: { name: string; usage: Usage }) {
  const { stores, platforms, storesOnOtherPlatforms, countedAtMs } = usage;
  const rows: PlatformRow[] = [
    ...platforms.map((platform) =>
      platformIsKnown(platform)
        ? { ...platform, href: `/technologies/${encodeURIComponent(platform.slug)}` }
        : { ...platform, name: 'No known platform' },
    ),
    ...(storesOnOtherPlatforms > 0 ? [{ slug: '', name: 'Other platforms', stores: storesOnOtherPlatforms }] : []),
  ];
  const most = Math.max(1, ...rows.map((row) => row.stores));
  return (
    <>
      <p className="text-lg">
        <span className="amount text-lg">{stores.toLocaleString('en')}</span> live {stores === 1 ? 'store' : 'stores'}{' '}
        of the corpus
        <span className="text-sm text-quiet">
          , counted <Time ms={countedAtMs} as="exact" /> UTC
        </span>
      </p>
      {rows.length > 0 && (
        <div className="max-w-[860px]">
          <Table
            label={`Stores that use ${name}, by platform`}
            columns={columns(most)}
            rows={rows}
            keyOf={({ slug }) => slug}
          />
        </div>
      )}
      <Prose>
        <p className="text-sm text-quiet">
          A store counts while it is trading or behind a password, and its latest scans have seen the technology there,
          working or set up. The corpus has the stores that somebody has asked about, so the numbers are not shares of a
          market.
        </p>
      </Prose>
    </>
  );
}
