import { textResponse } from '../../app/pages/file-response.ts';

/** Documents of the sitemap protocol (sitemaps.org, version 0.9). */
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapEntry {
  url: string;
  /** A day, as `2026-11-30`. */
  changedOn?: string | undefined;
}

/** The index of a sitemap's files. */
export const sitemapIndex = (files: readonly SitemapEntry[]): Response => xml('sitemapindex', 'sitemap', files);

/** One file of the sitemap, with pages. */
export const sitemapPages = (pages: readonly SitemapEntry[]): Response => xml('urlset', 'url', pages);

function xml(root: string, element: string, entries: readonly SitemapEntry[]): Response {
  const lines = entries.map(({ url, changedOn }) => {
    const changed = changedOn ? `<lastmod>${changedOn}</lastmod>` : '';
    return `<${element}><loc>${escaped(url)}</loc>${changed}</${element}>`;
  });
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${lines.join('\n')}\n</${root}>\n`;
  return textResponse(text, 'application/xml');
}

/** The protocol requires a day. Public pages show only the month of a scan, so its first day is sent. */
export const firstDayOf = (month: string): string => `${month}-01`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
