import { textResponse } from '../../app/pages/file-response.ts';

/** Documents of the sitemap protocol (sitemaps.org, version 0.9). */
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapEntry {
  url: string;
  /** A month, as `2026-11`. The protocol requires a day, so the first day of the month is sent. */
  changedIn?: string;
}

/** The index of a sitemap's files. */
export const sitemapIndex = (files: readonly SitemapEntry[]): Response => xml('sitemapindex', 'sitemap', files);

/** One file of the sitemap, with pages. */
export const sitemapPages = (pages: readonly SitemapEntry[]): Response => xml('urlset', 'url', pages);

function xml(root: string, element: string, entries: readonly SitemapEntry[]): Response {
  const lines = entries.map(({ url, changedIn }) => {
    const changed = changedIn ? `<lastmod>${changedIn}-01</lastmod>` : '';
    return `<${element}><loc>${escaped(url)}</loc>${changed}</${element}>`;
  });
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${lines.join('\n')}\n</${root}>\n`;
  return textResponse(text, 'application/xml');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
