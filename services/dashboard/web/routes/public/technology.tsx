import { data } from 'react-router';
import { Part, Prose, PublicPage } from '../../components/public/public-page.tsx';
import { asWords, platformIsKnown } from '../../components/store/store-words.ts';
import { Time } from '../../components/time.tsx';
import { publicMeta } from '../../public-meta.ts';
import { contextOf, load } from '../../server.ts';
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
          <a href="/technologies" className="link">
            All technologies that a scan can recognize
          </a>
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
          <a href={`/technologies?category=${encodeURIComponent(category)}`} className="link">
            {asWords(category)}
          </a>
        </>
      }
    >
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        <Fact name="Vendor">{vendor}</Fact>
        <Fact name="Website">
          <Website url={website} />
        </Fact>
        <Fact name="Slug in the API">
          <span className="code">{technology.slug}</span>
        </Fact>
      </dl>
      <Part title="Stores that use it">
        {usage ? <UsageOf name={name} usage={usage} /> : <p className="text-quiet">Not counted yet.</p>}
      </Part>
    </PublicPage>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children || <span className="text-quiet">not known</span>}</dd>
    </div>
  );
}

/** The website of a vendor, as a link when it is one. */
function Website({ url }: { url: string }) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return url;
  return (
    <a href={url} rel="nofollow noopener noreferrer" className="link">
      {new URL(url).host}
    </a>
  );
}

function UsageOf({ name, usage }: { name: string; usage: Usage }) {
  const { stores, platforms, storesOnOtherPlatforms, countedAtMs } = usage;
  const rows = [
    ...platforms.map(({ slug, name: platform, stores: count }) =>
      platformIsKnown({ slug })
        ? { slug, name: platform, stores: count, href: `/technologies/${encodeURIComponent(slug)}` }
        : { slug, name: 'No known platform', stores: count, href: undefined },
    ),
    ...(storesOnOtherPlatforms > 0
      ? [{ slug: '', name: 'Other platforms', stores: storesOnOtherPlatforms, href: undefined }]
      : []),
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
        <table className="w-full max-w-[860px] text-left" aria-label={`Stores that use ${name}, by platform`}>
          <thead className="text-xs text-quiet">
            <tr>
              <th scope="col" className="h-9 border-b pr-3 font-medium">
                Platform
              </th>
              <th scope="col" className="h-9 border-b pr-3 text-right font-medium">
                Stores
              </th>
              <th scope="col" className="hidden h-9 w-1/2 border-b font-medium sm:table-cell">
                <span className="sr-only">Share</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.slug}>
                <td className="h-10 border-b pr-3 [overflow-wrap:anywhere]">
                  {row.href === undefined ? (
                    row.name
                  ) : (
                    <a href={row.href} className="link">
                      {row.name}
                    </a>
                  )}
                </td>
                <td className="amount h-10 border-b pr-3 text-right">{row.stores.toLocaleString('en')}</td>
                <td className="hidden h-10 w-1/2 border-b sm:table-cell">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full">
                    <rect width={(row.stores / most) * 100} height="8" className="fill-series-1" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Prose>
        <p className="text-sm text-quiet">
          A store counts while it is trading or behind a password, and its latest scans have seen the technology there,
          working or set up. The corpus has the stores that somebody has asked about, so the numbers are no shares of a
          market.
        </p>
      </Prose>
    </>
  );
}
