import { isObject, type Json } from '../json.ts';
import { type JsonLdNode, textMember } from '../page/json-ld.ts';
import { decimalMarkOf } from './currencies.ts';
import { objects, wordsIn } from './listing.ts';
import { lowestOf, type ReadPrice, readPrice } from './prices.ts';
import { productPath, type Sighting } from './product-list.ts';
import { statedCurrencies } from './stated-currency.ts';

interface Page {
  base: string;
  language: string | undefined;
  /** Objects of the page by their `@id`. Another object can refer to an object by this id. */
  byId: ReadonlyMap<string, Json>;
}

/** Accepts one value or a list of values. */
const listOf = (value: unknown): Json[] => (isObject(value) ? [value] : objects(value));

const isReference = (value: Json): boolean => Object.keys(value).every((key) => key === '@id' || key === '@type');

/** Like `listOf`, but replaces a reference such as `{"@id": "#offer"}` with the object that the page describes elsewhere. */
const resolved = (value: unknown, { byId }: Page): Json[] =>
  listOf(value).map((one) => (isReference(one) && byId.get(String(one['@id']))) || one);

/** Offers of a product: one offer, a list, or an aggregate. */
function offersOf(product: Json, page: Page): Json[] {
  return resolved(product.offers, page)
    .flatMap((offer) => [offer, ...resolved(offer.offers, page)])
    .slice(0, 200);
}

/** Whether a price beside that of the product is for a kilogram, for many pieces, for members, or for the delivery. */
const isOtherPrice = (specification: Json): boolean =>
  ['referenceQuantity', 'unitCode', 'unitText', 'eligibleQuantity', 'validForMemberTier', 'billingDuration'].some(
    (member) => specification[member] !== undefined,
  ) || /DeliveryCharge|PaymentCharge/.test(String(specification['@type']));

/** The specification of the price that a buyer pays. List prices and prices that are struck through are left out. */
const specificationOf = (offer: Json): Json | undefined =>
  listOf(offer.priceSpecification).find(
    (one) => !isOtherPrice(one) && !/ListPrice|SRP|MSRP|Strikethrough|MinimumAdvertised/i.test(String(one.priceType)),
  );

function priceOf(offer: Json, language: string | undefined): OfferPrice {
  const stated = statedCurrencies(offer.priceCurrency ?? specificationOf(offer)?.priceCurrency);
  const currency = stated.length === 1 ? stated[0] : undefined;
  // The currency alone does not decide how the page writes decimals.
  const decimalMark = decimalMarkOf(language, undefined) && decimalMarkOf(language, currency);
  const context = { currency, decimalMark, isStructured: true };
  // Platforms write zero if they do not know the price.
  const price = [offer.price, offer.lowPrice, specificationOf(offer)?.price]
    .map((value) => readPrice(value, context))
    .find((read) => read !== undefined && read.low.units > 0n);
  return { price, currencies: stated.length > 0 ? stated : (price?.currencies ?? []), offer };
}

interface OfferPrice {
  price: ReadPrice | undefined;
  /** The currencies that the offer states, otherwise those of the sign in its price. */
  currencies: readonly string[];
  offer: Json;
}

const inStock = /(?:^|[/:])(?:InStock|LimitedAvailability|OnlineOnly|PreOrder|PreSale|BackOrder|MadeToOrder)/i;

/** Whether a schema.org availability means that the product can be ordered. */
export const isAvailable = (text: string | undefined): boolean | undefined => (text ? inStock.test(text) : undefined);

/** The group of a variant, both if the page describes the group and if it describes only the variants. */
function groupOf(product: Json): string | undefined {
  const group = isObject(product.isVariantOf) ? product.isVariantOf : undefined;
  return (
    textMember(product, 'inProductGroupWithID') ??
    textMember(product, 'productGroupID') ??
    (group && (textMember(group, 'productGroupID') ?? textMember(group, '@id') ?? textMember(group, 'name')))
  );
}

/**
 * Blocks with the same `@id` describe one product, as JSON-LD defines it, even if each has the name of a variant. Templates also give the
 * same `@id` to products that have pages of their own.
 */
function idOf(product: Json, name: string, path: string | undefined): string | undefined {
  const id = textMember(product, '@id');
  if (id !== undefined && textMember(product, 'url') === undefined) return `node ${id}`;
  return name === '' && !path ? textMember(product, 'sku') : undefined;
}

function sightingOf(product: Json, page: Page): Sighting {
  const described = [product, ...resolved(product.hasVariant, page)]
    .flatMap((one) => offersOf(one, page))
    .map((offer) => priceOf(offer, page.language));
  // Offers in several currencies are one product in several markets. The first currency is that of the page.
  const currencies = described.find((offer) => offer.currencies.length > 0)?.currencies ?? [];
  const prices = described
    .filter((offer) => offer.currencies.length === 0 || offer.currencies.some((code) => currencies.includes(code)))
    .flatMap(({ price }) => price?.low ?? []);
  const stock = described
    .map(({ offer }) => isAvailable(textMember(offer, 'availability')))
    .filter((available) => available !== undefined);
  const group = groupOf(product);
  const general = isObject(product.isVariantOf) ? product.isVariantOf : product;
  const name = textMember(general, 'name') ?? textMember(product, 'name') ?? '';
  const address = textMember(product, 'url') ?? textMember(product, '@id');
  const path = productPath(address, page.base);
  return {
    path: group && general !== product ? undefined : path,
    id: group ? `group ${group}` : idOf(product, name, path),
    name,
    price: lowestOf(prices),
    available: stock.length > 0 ? stock.some((available) => available) : undefined,
    currencies,
    words: wordsIn(product.category),
    structured: true,
    isVariant: group !== undefined || textMember(product, '@id') !== undefined,
  };
}

/** Members of a product whose values are products that the page recommends and does not list. */
const relations = ['isRelatedTo', 'isSimilarTo', 'isAccessoryOrSparePartFor', 'isConsumableFor'];

/** Products in the structured data of the page. */
export function jsonLdProducts(
  nodes: readonly JsonLdNode[],
  { base, language }: { base: string; language: string | undefined },
): Sighting[] {
  const byId = new Map<string, Json>();
  for (const { value } of nodes)
    if (typeof value['@id'] === 'string' && !isReference(value) && !byId.has(value['@id']))
      byId.set(value['@id'], value);
  const page: Page = { base, language, byId };
  const described = nodes.filter(({ types }) => types.includes('Product') || types.includes('ProductGroup'));
  const variants = new Set(described.flatMap(({ value }) => resolved(value.hasVariant, page)));
  // If the page also describes a related product on its own, the member is a reference, and that description stays.
  const related = new Set(described.flatMap(({ value }) => relations.flatMap((member) => listOf(value[member]))));
  return (
    described
      .filter(({ value }) => !variants.has(value) && !related.has(value) && !isReference(value))
      // Newspapers describe their subscription as a Product without an offer. Such a product is ignored.
      .filter(
        ({ value }) => value.offers !== undefined || resolved(value.hasVariant, page).some(({ offers }) => offers),
      )
      .map(({ value }) => sightingOf(value, page))
  );
}
