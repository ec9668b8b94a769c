import { data } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { Part, PublicPage } from '../../app/components/public-page.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, load } from '../../app/pages/server.ts';
import { asWords } from '../../stores/pages.ts';
import type { Route } from './+types/technology';
import { Figures } from './technology-figures.tsx';

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? publicMeta(matches, {
        title: `${loaderData.technology.name} at online stores · Shopscope`,
        description: `${loaderData.technology.name}: ${asWords(loaderData.technology.kind).toLowerCase()}, ${asWords(loaderData.technology.category).toLowerCase()}. How many online stores use it, by platform, country and industry.`,
      })
    : publicMeta(matches, {
        title: 'No such technology · Shopscope',
        description: 'Unknown technology.',
        isIndexed: false,
      });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, origin } = contextOf(context);
  const found = await load(context, () => application.publicTechnologies.describe(params.slug, origin));
  return data(found ?? null, { status: found ? 200 : 404 });
}

export default function TechnologyPage({ loaderData: described }: Route.ComponentProps) {
  if (!described) {
    return (
      <PublicPage title="There is no such technology">
        <p>
          <TextLink to="/technologies">All technologies that a scan can recognize</TextLink>
        </p>
      </PublicPage>
    );
  }
  const { name, kind, category, vendor, website, slug } = described.technology;
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
          'Slug in the API': <span className="code">{slug}</span>,
        }}
      />
      <Part title="Stores that use it">
        <Figures {...described} />
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
