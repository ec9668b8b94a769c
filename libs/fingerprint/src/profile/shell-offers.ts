import { isObject } from '../json.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { textMember } from '../page/json-ld.ts';
import { plain } from './name-text.ts';
import { registrable } from './own-host.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * A page without text is the shell that a client fills. It has no basket and no order button. Its structured data therefore decide. They
 * show a store only if the site itself offers the product.
 */
const shellLines = 10;
const shellChars = 300;

/** Types of pages that have offers but are not shops. Reviews, articles and software have offers, too. */
const notOfShop = /^(?:\w{0,20}Article|BlogPosting|Review|\w{0,20}Application|UnitPriceSpecification)$/;
const siteTypes = /^(?:WebSite|Organization|Corporation|OnlineStore|OnlineBusiness|LocalBusiness|Store|\w{1,30}Store)$/;
const maxOffers = 200;

const isShell = ({ lines }: VisibleText): boolean =>
  lines.length < shellLines && lines.reduce((sum, line) => sum + line.length, 0) < shellChars;

/** Returns the offers of a product, including those within an aggregate. */
function offersOf(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value.slice(0, maxOffers) : [value])
    .filter(isObject)
    .flatMap((offer) => [
      offer,
      ...(Array.isArray(offer.offers) ? offer.offers.slice(0, maxOffers).filter(isObject) : []),
    ]);
}

/** Whether a page without text belongs to a searchable site that offers products itself. */
export function isShellOfShop({ jsonLd, metas, url }: PageEvidence, visible: VisibleText): boolean {
  if (!isShell(visible) || !jsonLd.some(({ types }) => types.includes('SearchAction'))) return false;
  // The front page of a shop shows several products. A single product there is the topic of the whole site, and mostly a service.
  if (url?.pathname === '/') return false;
  if (metas.get('og:type')?.[0] === 'article' || /^WordPress/i.test(metas.get('generator')?.[0] ?? '')) return false;
  if (jsonLd.some(({ types }) => types.some((type) => notOfShop.test(type)))) return false;
  const offers = jsonLd
    .filter(({ types }) => types.includes('Product') || types.includes('ProductGroup'))
    .flatMap(({ value }) => offersOf(value.offers));
  const sellersOf = ({ seller }: Record<string, unknown>) => [seller].flat().filter(isObject);
  const sellers = new Set<unknown>(offers.flatMap(sellersOf));
  const own = new Set(
    jsonLd
      .filter(({ types, value }) => !sellers.has(value) && types.some((type) => siteTypes.test(type)))
      .flatMap(({ value }) => [value.name, value.alternateName, value.legalName])
      .filter((name) => typeof name === 'string')
      .map(plain),
  );
  const isOfOther = (offer: Record<string, unknown>): boolean => {
    const address = textMember(offer, 'url') ?? '';
    if (
      /^(?:https?:)?\/\//i.test(address) &&
      registrable(address.replace(/^\/\//, 'https://')) !== registrable(url?.hostname ?? '')
    )
      return true;
    // A shop writes a price for each variant. A comparison site counts the offers of others.
    if (Number(offer.offerCount) > 1) return true;
    return sellersOf(offer).some((seller) => !own.has(plain(textMember(seller, 'name') ?? '')));
  };
  return !offers.some(isOfOther);
}
