import { canonicalizeDomain } from '@shopscope/domain-name';

/** Query parameters that a public page reads. All others change nothing. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  '/stores': ['domain'],
  '/technologies': ['q', 'kind', 'category', 'after'],
};
const fixed = new Set([
  '/',
  '/stores',
  '/technologies',
  '/docs',
  '/bot',
  '/status',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/pages.xml',
]);
const families = [/^\/stores\/[^/]+$/, /^\/technologies\/[^/]+$/, /^\/sitemap\/\d{1,6}\.xml$/];

const parameterLengthMax = 300;
const pathLengthMax = 2_100;

export interface PublicPath {
  /** The page's one address: path and the parameters that it reads. It identifies the page in caches. */
  address: string;
  /** The requested path is another way to write it. */
  isMoved: boolean;
}

/**
 * The public page of a request target; undefined when it is none, or longer than any page's.
 *
 * One page has one address: slashes are single and none is at the end, a store's domain is the registrable one, a slug has
 * lower case, parameters have a fixed order.
 */
export function publicPathOf(target: string): PublicPath | undefined {
  const url = new URL(target.replace(/^\/+/, '/'), 'http://public.invalid');
  if (url.pathname.length > pathLengthMax) return undefined;
  const path = canonicalPath(url.pathname);
  if (path === undefined) return undefined;
  const query = new URLSearchParams();
  for (const name of parameters[path] ?? []) {
    const value = url.searchParams.get(name)?.trim().slice(0, parameterLengthMax);
    if (value) query.set(name, value);
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  return { address, isMoved: path !== url.pathname };
}

function canonicalPath(pathname: string): string | undefined {
  const path = pathname.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  if (fixed.has(path)) return path;
  if (!families.some((family) => family.test(path))) return undefined;
  const [, family, name = ''] = path.split('/') as [string, string, string];
  const decoded = decode(name);
  if (family === 'sitemap' || decoded === undefined) return path;
  if (family === 'technologies') return `/technologies/${encodeURIComponent(decoded.toLowerCase())}`;
  const canonical = canonicalizeDomain(decoded);
  return canonical.ok ? `/stores/${canonical.value.domain}` : path;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
