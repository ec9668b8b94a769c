import { type JsonLdNode, textMember, typesOf } from '../page/json-ld.ts';
import { isObject, type Json, type ListedProduct, type Listing, maxProducts, objects, wordsIn } from './listing.ts';
import { currencyCode, lowestOf, readPrice } from './prices.ts';

/** Offers of a product: one offer, a list, or an aggregate. */
function offersOf(product: Json): Json[] {
  const offers = isObject(product.offers) ? [product.offers] : objects(product.offers);
  return offers
    .flatMap((offer) => [offer, ...(isObject(offer.offers) ? [offer.offers] : objects(offer.offers))])
    .slice(0, 200);
}

function specificationOf(offer: Json): Json | undefined {
  return isObject(offer.priceSpecification) ? offer.priceSpecification : objects(offer.priceSpecification)[0];
}

const priceOf = (offer: Json): number | undefined =>
  readPrice(offer.price ?? offer.lowPrice ?? specificationOf(offer)?.price);

const currencyOf = (offer: Json): string | undefined =>
  currencyCode(offer.priceCurrency ?? specificationOf(offer)?.priceCurrency);

function availabilityOf(offer: Json): boolean | undefined {
  const text = textMember(offer, 'availability');
  if (!text) return undefined;
  return /(?:InStock|LimitedAvailability|OnlineOnly|PreOrder|PreSale|BackOrder|MadeToOrder)/i.test(text);
}

function productOf(product: Json): ListedProduct {
  const offers = offersOf(product);
  const prices = offers.map(priceOf).filter((price) => price !== undefined);
  const stock = offers.map(availabilityOf).filter((available) => available !== undefined);
  return {
    price: lowestOf(prices),
    available: stock.length > 0 ? stock.some((available) => available) : undefined,
    currency: offers.map(currencyOf).find((currency) => currency !== undefined),
    words: `${wordsIn(product.category)} ${wordsIn(product.name)}`,
  };
}

/**
 * Products in the structured data of the page. The listing is complete only when it states its number of items and
 * contains as many.
 */
export function jsonLdListing(nodes: readonly JsonLdNode[]): Listing | undefined {
  const seen = new Set<string>();
  const products: ListedProduct[] = [];
  for (const { types, value } of nodes) {
    if (products.length >= maxProducts) break;
    // Newspapers describe their subscription as a Product without an offer. Such a product is ignored.
    if (!(types.includes('Product') || types.includes('ProductGroup')) || value.offers === undefined) continue;
    const id =
      textMember(value, '@id') ??
      textMember(value, 'url') ??
      textMember(value, 'sku') ??
      textMember(value, 'name') ??
      '';
    if (seen.has(id)) continue;
    seen.add(id);
    const isVariant = isObject(value.isVariantOf) || textMember(value, 'inProductGroupWithID') !== undefined;
    if (!isVariant || typesOf(value).includes('ProductGroup')) products.push(productOf(value));
  }
  if (products.length === 0) return undefined;
  const stated = nodes
    .filter(({ types }) => types.includes('ItemList') || types.includes('OfferCatalog'))
    .map(({ value }) => Number(value.numberOfItems))
    .find((count) => Number.isInteger(count) && count > 0);
  return {
    source: 'page',
    products,
    total: undefined,
    complete: stated !== undefined && products.length >= stated && products.length > 1,
  };
}
