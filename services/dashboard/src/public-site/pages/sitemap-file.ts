import { contextOf, load } from '../../app/pages/server.ts';
import { libraryOf } from '../../documentation/pages.server.ts';
import type { Route } from './+types/sitemap-file';
import { firstDayOf, sitemapPages } from './sitemap-xml.ts';

const fixedPages = ['/', '/technologies', '/docs', '/docs/reference', '/docs/graphql/schema', '/bot', '/status'];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, origin, siteUrl } = contextOf(context);
  const { publicSite, publicTechnologies } = application;
  if (params.file === 'pages.xml') {
    const counted = await load(context, () => publicTechnologies.withFigures(origin));
    const changedOn = counted && new Date(counted.countedAtMs).toISOString().slice(0, 10);
    const { guides, families } = libraryOf(context);
    const operations = families.flatMap((family) => family.operations);
    const paths = [
      ...fixedPages,
      ...guides.map(({ slug }) => `/docs/${slug}`),
      ...operations.map(({ id }) => `/docs/reference/${id}`),
    ];
    const technologies = (counted?.slugs ?? []).map((slug) => `/technologies/${encodeURIComponent(slug)}`);
    return sitemapPages([
      ...paths.map((path) => ({ url: siteUrl + path })),
      ...technologies.map((path) => ({ url: siteUrl + path, changedOn })),
    ]);
  }
  const stores = await load(context, () => publicSite.sitemapFile(Number.parseInt(params.file, 10) || 0, origin));
  return sitemapPages(
    stores.map(({ domain, lastScan }) => ({ url: `${siteUrl}/stores/${domain}`, changedOn: firstDayOf(lastScan) })),
  );
}
