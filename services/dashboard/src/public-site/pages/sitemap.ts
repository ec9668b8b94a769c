import { contextOf, load } from '../../app/pages/server.ts';
import type { Route } from './+types/sitemap';
import { firstDayOf, sitemapIndex } from './sitemap-xml.ts';

/** The index of the sitemap: first a file of fixed pages, then one file for each range of stores. */
export async function loader({ context }: Route.LoaderArgs) {
  const { application, origin, siteUrl } = contextOf(context);
  const files = await load(context, () => application.publicSite.sitemapFiles(origin));
  return sitemapIndex([
    { url: `${siteUrl}/sitemap/pages.xml` },
    ...files.map(({ lastScan }, n) => ({ url: `${siteUrl}/sitemap/${n + 1}.xml`, changedOn: firstDayOf(lastScan) })),
  ]);
}
