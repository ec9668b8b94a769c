import type { Element } from 'domhandler';
import data from './data/page-words.rules.json' with { type: 'json' };
import { decodedUri } from './page/decoded-uri.ts';
import { textOf } from './page/document.ts';
import type { PageEvidence } from './page/evidence.ts';
import { withSingleSpaces } from './page/single-spaces.ts';
import { withoutQuery } from './page/without-query.ts';
import { customPlatform } from './rules/index.ts';
import type { DetectedTechnology, FurtherPage, FurtherPageKind, StoreObservation } from './types.ts';

/**
 * Chooses further pages of the site that may show what the home page does not show. The most useful page is first:
 *
 * - The name or country is uncertain -> imprint, contact, about: two of them, or three if both are uncertain.
 * - Reviews or payment are unknown -> a product.
 * - Payment is unknown -> the cart.
 * - Nothing is unknown, or no link leads to a useful page -> one page nevertheless. A change of the whole profile is confirmed by another
 *   page of the store that agrees (decision 61).
 *
 * The choice depends on the home page alone. A scan of an unchanged page therefore reads the same pages again. Bounds: five pages, from the
 * first 800 links.
 */
const maxPages = 5;
const maxLinks = 800;
const maxLinkTextChars = 40;
const maxHrefChars = 500;

type Wanted = Pick<StoreObservation, 'geography' | 'nameBasis' | 'status' | 'platform'> & {
  technologies: readonly DetectedTechnology[];
};

// Matches a word of the path, or the whole text of the link. Both are compared without accents.
const formOf = (forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join('|')})$`);
const words = (['imprint', 'contact', 'cart', 'about'] as const).map((kind) => [kind, formOf(data[kind])] as const);
const anyWord = new RegExp(words.map(([, { source }]) => source).join('|'));

const productPath =
  /\/(?:products?|produkte?|produits?|productos?|prodotti?|produtos?|produkty?|product-page|item|dp)\/[^/?#]{2,200}\/?$|\/shop\/p\/[^/?#]{2,200}$|[?&]route=product\/product&|\/catalog\/product\/view\//i;
const productClass =
  /(?:^|\s)(?:product-?(?:item-)?(?:link|photo|image|thumbnail|title|name)\w{0,10}|woocommerce-loopproduct-link|card-figure__link|product-card[\w-]{0,20})(?:\s|$)/i;
const listPath = /\/(?:products?|produkte?|shop)\/(?:all|page|category|categories|tag|new|sale|search)\b/i;

/** All kinds of pages. The kinds that repeat most of the home page come first. */
const anyKinds: readonly FurtherPageKind[] = ['product', 'about', 'contact', 'imprint', 'cart'];

const paying: ReadonlySet<string> = new Set(['payment-processors', 'buy-now-pay-later']);

const isPlain = /^[a-z0-9 -]*$/;
const plain = (text: string): string => {
  const lower = text.toLowerCase().replaceAll('_', '-');
  if (isPlain.test(lower)) return lower.trim();
  return withSingleSpaces(lower.normalize('NFKD').replace(/\p{M}/gu, ''));
};

/** Returns the word of the address that names the page: the last word of the path, without its extension. */
function nameOf(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  const name = decodedUri(path.slice(path.lastIndexOf('/', end - 1) + 1, end));
  return plain(name.includes('.') ? name.replace(/\.(?:html?|php|aspx?|jsp)$/i, '') : name);
}

const namedKind = (name: string) => (anyWord.test(name) ? words.find(([, form]) => form.test(name))?.[0] : undefined);

function kindOf(href: string, link: Element): FurtherPageKind | undefined {
  const kind = namedKind(nameOf(withoutQuery(href))) ?? namedKind(plain(textOf(link, maxLinkTextChars)));
  if (kind) return kind;
  const isProduct = productPath.test(href) || productClass.test(link.attribs.class ?? '');
  return isProduct && !listPath.test(href) ? 'product' : undefined;
}

/** Returns the first link of each kind that stays on the host. The search ends at a link of the kind `enough`. */
function linksOf(
  { url: home, document }: PageEvidence,
  kinds: ReadonlySet<FurtherPageKind>,
  enough?: FurtherPageKind,
): Map<FurtherPageKind, string> {
  const found = new Map<FurtherPageKind, string>();
  if (!home) return found;
  for (const link of document.byTag('a').slice(0, maxLinks)) {
    if (found.size === kinds.size || (enough && found.has(enough))) break;
    const href = link.attribs.href?.trim() ?? '';
    if (href === '' || href.length > maxHrefChars || /^(?:#|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(href)) continue;
    const kind = kindOf(href, link);
    if (!kind || !kinds.has(kind) || found.has(kind) || !URL.canParse(href, home.href)) continue;
    const url = new URL(href, home);
    url.hash = '';
    // Old links of a site that has moved to https still begin with http.
    url.protocol = home.protocol;
    if (url.host === home.host && url.pathname !== home.pathname) found.set(kind, url.href);
  }
  return found;
}

export function furtherPages(page: PageEvidence, seen: Wanted): FurtherPage[] {
  const isShop = seen.status.state === 'active_storefront';
  // A listing may show later that a site on a known platform is a shop.
  const mayBeShop = seen.status.state === 'not_a_storefront' && seen.platform.slug !== customPlatform.slug;
  if (!isShop && !mayBeShop) return [];
  const unsure = [
    seen.geography.basis === 'unknown' || seen.geography.basis === 'inferred',
    seen.nameBasis === 'domain',
  ].filter(Boolean).length;
  const categories = new Set(seen.technologies.map(({ category }) => category));
  const pays = [...categories].some((category) => paying.has(category));
  const about = unsure > 0 ? (['imprint', 'contact', 'about'] as const) : [];
  const bought = [
    ...(pays && categories.has('reviews') ? [] : (['product'] as const)),
    ...(pays ? [] : (['cart'] as const)),
  ];
  const links = linksOf(page, new Set([...about, ...bought]));
  const kinds = [...about.filter((kind) => links.has(kind)).slice(0, unsure + 1), ...bought];
  const wanted = pagesOf(kinds, links).slice(0, maxPages);
  return wanted.length > 0 ? wanted : pagesOf(anyKinds, linksOf(page, new Set(anyKinds), anyKinds[0])).slice(0, 1);
}

function pagesOf(kinds: readonly FurtherPageKind[], links: ReadonlyMap<FurtherPageKind, string>): FurtherPage[] {
  return kinds.flatMap((kind) => {
    const url = links.get(kind);
    return url === undefined ? [] : [{ kind, url }];
  });
}
