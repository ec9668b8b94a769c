import { canonicalizeDomain } from '@shopscope/domain-name';

/** Query parameters that a public page reads. All others have no effect. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  '/stores': ['domain'],
  '/technologies': ['q', 'kind', 'category', 'sort', 'after'],
  '/docs/search': ['q'],
};
const fixed = new Set([
  '/',
  '/stores',
  '/technologies',
  '/docs',
  '/bot',
  '/status',
  '/docs/reference',
  '/docs/graphql/schema',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/pages.xml',
]);
const sitemapFile = /^\/sitemap\/[1-9]\d{0,5}\.xml$/;

const maxParameterLength = 300;
const maxPathLength = 2_100;

export interface PublicPath {
  /** The only address of the page: its path, and the parameters that it reads. It identifies the page in caches. */
  address: string;
  /** Whether the requested path is another way to write this address. */
  isMoved: boolean;
}

/**
 * The public page of a request target. Undefined if there is none, or if the target is longer than any page's or is not a path.
 *
 * Each page has one address: it has single slashes and none at the end, the registrable domain of a store, names in lower case, and
 * parameters in a fixed order.
 */
export function publicPathOf(target: string): PublicPath | undefined {
  const url = parseTarget(target);
  if (!url || url.pathname.length > maxPathLength) return undefined;
  const path = canonicalPath(url.pathname);
  if (path === undefined) return undefined;
  const query = new URLSearchParams();
  for (const name of parameters[path] ?? []) {
    const value = url.searchParams.get(name)?.trim().slice(0, maxParameterLength);
    if (value) query.set(name, value);
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  return { address, isMoved: path !== url.pathname };
}

/** Path and query of a request target in origin form (RFC 9112); undefined for every other form. */
export function parseTarget(target: string): Pick<URL, 'pathname' | 'search' | 'searchParams'> | undefined {
  if (!target.startsWith('/') || target.includes('\\')) return undefined;
  const base = 'http://public.invalid';
  const path = target.replace(/^\/+/, '/');
  return URL.canParse(path, base) ? new URL(path, base) : undefined;
}

function canonicalPath(pathname: string): string | undefined {
  // The router would answer such a path with the data of a page.
  if (pathname.endsWith('.data')) return undefined;
  const parts = pathname.split('/').flatMap((part) => (part === '' ? [] : [decode(part)]));
  const [family = '', name, ...more] = parts;
  const lower = `/${parts.join('/').toLowerCase()}`;
  if (fixed.has(lower) || sitemapFile.test(lower)) return lower;
  if (name === undefined) return undefined;
  if (family.toLowerCase() === 'docs') return documentationPath(name, more);
  if (more.length > 0) return undefined;
  if (family.toLowerCase() === 'technologies') return `/technologies/${encodeURIComponent(name.toLowerCase())}`;
  if (family.toLowerCase() !== 'stores') return undefined;
  const canonical = canonicalizeDomain(name);
  return `/stores/${canonical.ok ? canonical.value.domain : encodeURIComponent(name)}`;
}

/** A guide, a file or the search. Below `reference`, an operation, whose id has capital letters. */
function documentationPath(name: string, more: string[]): string | undefined {
  const page = encodeURIComponent(name.toLowerCase());
  const [operation, ...further] = more;
  if (operation === undefined) return `/docs/${page}`;
  return page === 'reference' && further.length === 0 ? `/docs/reference/${encodeURIComponent(operation)}` : undefined;
}

/** The decoded text of a part of a path; the part itself if it cannot be decoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part).toWellFormed();
  } catch {
    return part;
  }
}
