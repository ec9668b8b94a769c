import type { WallRow } from '../../scripts/data/tables/walls.ts';
import type { PageInput } from '../../src/index.ts';

/** The page that a row gives as its sample. */
export function pageOf({ sample }: WallRow): PageInput {
  const {
    url = 'https://shop.example/',
    status = 200,
    headers = {},
    body,
  } = typeof sample === 'string' ? { body: sample } : sample;
  return { url, status, headers, html: body };
}

/** The page with another title. */
export function withTitle(page: PageInput, title: string): PageInput {
  const element = `<title>${title}</title>`;
  if (/<title\b/i.test(page.html)) {
    return { ...page, html: page.html.replace(/<title\b[^>]*>[\s\S]*?<\/title>/i, element) };
  }
  if (/<head\b[^>]*>/i.test(page.html)) {
    return { ...page, html: page.html.replace(/<head\b[^>]*>/i, (head) => head + element) };
  }
  return { ...page, html: element + page.html };
}

/** The script elements of a page. */
export const scriptsOf = ({ html }: PageInput): string[] =>
  [...html.matchAll(/<script\b[^>]*>[\s\S]*?<\/script>/gi)].map(([element]) => element);

/** The page with one more element in its head. */
export function withElement(page: PageInput, element: string): PageInput {
  const at = page.html.search(/<\/head>/i);
  return { ...page, html: at < 0 ? element + page.html : page.html.slice(0, at) + element + page.html.slice(at) };
}
