import { Element } from 'domhandler';
import type { PageDocument } from '../page/document.ts';
import { words } from '../words.ts';
import { hasPriceInWords, type PriceBudget, priceBudget, priceIn } from './price-elements.ts';
import { type PriceContext, type ReadPrice, readPrice } from './prices.ts';
import { productPath, type Sighting } from './product-list.ts';
import { elementsIn, textIn, type VisitBudget } from './visit.ts';

/**
 * Products that the templates of platforms list without structured data. A card is the smallest part of the page around a link to a product
 * that shows a price and no other product.
 *
 * - Seeds: links in elements that templates name after a product, and links with the address of a product page.
 * - A card without a price counts only if it comes from a template.
 * - Bounds: the number of seeds, of levels above a seed, and of visited elements on a page.
 */
const maxSeeds = 600;
const maxPartsPerClass = 1200;
const maxHrefChars = 2000;
const maxLevels = 9;
const maxVisits = 100_000;

/** Classes of one product in the lists of platforms, from their default templates and from themes based on them. */
const templateCards = [
  // WooCommerce
  ...words('type-product wc-block-grid__product wc-block-product'),
  // Magento 2, nopCommerce
  'product-item',
  // PrestaShop
  ...words('product-miniature ajax_block_product'),
  // OpenCart
  ...words('product-thumb product-layout'),
  // Shopware
  ...words('product-box product--box'),
  // Salesforce Commerce Cloud
  'product-tile',
  // Squarespace
  'ProductList-item',
  // Zen Cart
  ...words('centerBoxContentsNew centerBoxContentsFeatured centerBoxContentsSpecials centerBoxContentsProducts'),
];
/** Classes of an element with the name of one product. Its link is inside or around the element. */
const templateNames = words(`
  woocommerce-loop-product__title product-item-link product-item-name product-name product-title product_name
  itemTitle
`);
/** Classes that themes use for one product. They count only with a price. */
const themeCards = words(`
  product-card product-grid-item grid-product card-product productitem product-block product-inner
  product-container product-wrap product item-product itemProduct box-product
`);
const productAddress =
  /\/(?:products?|product-page|productos?|produtos?|produits?|produkte?|prodotto|producten?|artikel|item|dp|listing)\/[^/?#]{2,}\/?(?:[?#]|$)|[?&](?:route=product(?:\/|%2f)product|products_id=|id_product=|product_id=)/i;
const actions =
  /add[-_]?to[-_]?(?:cart|wish|basket|compare)|wish-?list|compare|\/cart(?:\/|$|\?)|\/checkout|paypal|quick-?view|review|login|customer\/account|^#|javascript:/i;
/** Parts of the page that show no products of the catalogue, or only those that the visitor has viewed. */
const foreignParts =
  /(?:mini-?cart|cart-?drawer|cart-?items|basket|wish-?list|recently-?viewed|breadcrumb)|(?:^|[\s_-])compare(?:$|[\s_-])/i;

const namesOf = ({ attribs }: Element): string =>
  [attribs.class, attribs.id, attribs['data-hook']].map((name) => (name ?? '').slice(0, 300)).join(' ');

const parentOf = (element: Element): Element | undefined =>
  element.parent instanceof Element ? element.parent : undefined;

/** The element and the elements around it, at most `most` in all. */
function upwards(start: Element, most: number): Element[] {
  const found: Element[] = [];
  for (let element: Element | undefined = start; element && found.length < most; element = parentOf(element))
    found.push(element);
  return found;
}

const isProductLink = ({ name, attribs }: Element): boolean =>
  name === 'a' &&
  Boolean(attribs.href && attribs.href.length <= maxHrefChars) &&
  !actions.test(`${attribs.href} ${attribs.class ?? ''}`.slice(0, 500)) &&
  !/\.(?:jpe?g|png|gif|webp|svg|pdf)(?:$|\?)/i.test(attribs.href ?? '');

interface Seed {
  link: Element;
  path: string;
  isTemplate: boolean;
}

export interface CardPage {
  base: string;
  /** The address of the page itself if it shows one product. */
  ownPath: string | undefined;
  context: PriceContext;
}

function seedsOf(document: PageDocument, { base }: CardPage, budget: VisitBudget): Seed[] {
  const seeds = new Map<Element, Seed>();
  const add = (link: Element | undefined, isTemplate: boolean): void => {
    if (!link || seeds.size >= maxSeeds) return;
    const path = productPath(link.attribs.href, base);
    const known = seeds.get(link);
    if (known) known.isTemplate ||= isTemplate;
    else if (path) seeds.set(link, { link, path, isTemplate });
  };
  const parts = (name: string) => document.byClass(name).slice(0, maxPartsPerClass);
  const firstLink = (part: Element): Element | undefined => {
    for (const element of elementsIn(part, budget, 60)) if (isProductLink(element)) return element;
    return undefined;
  };
  const around = (part: Element): Element | undefined => upwards(part, 4).find(isProductLink);
  // Some themes put the link only on the picture beside the name.
  const beside = (part: Element): Element | undefined => {
    const above = parentOf(part);
    return above && !wholePage.has(above.name) ? firstLink(above) : undefined;
  };
  for (const name of templateNames) {
    for (const part of parts(name)) add(around(part) ?? firstLink(part) ?? beside(part), true);
  }
  for (const name of templateCards) for (const part of parts(name)) add(firstLink(part), true);
  for (const name of themeCards) for (const part of parts(name)) add(firstLink(part), false);
  for (const part of parts('product_list_widget')) {
    for (const child of part.children) if (child instanceof Element) add(firstLink(child), true);
  }
  for (const link of document.byTag('a')) {
    if (productAddress.test((link.attribs.href ?? '').slice(0, 500)) && isProductLink(link)) add(link, false);
  }
  return [...seeds.values()].filter(({ link }) => !isForeign(link));
}

const isForeign = (link: Element): boolean =>
  upwards(link, 12).some((element) => element.name === 'nav' || foreignParts.test(namesOf(element)));

/** Maps each element above a seed to the one product that it shows, or to null if it shows several products. */
function ownersOf(seeds: readonly Seed[]): Map<Element, string | null> {
  const owners = new Map<Element, string | null>();
  for (const { link, path } of seeds) {
    for (const element of upwards(link, maxLevels * 2 + 1)) {
      const owner = owners.get(element);
      if (owner === null) continue;
      owners.set(element, owner === undefined || owner === path ? path : null);
    }
  }
  return owners;
}

const wholePage = new Set(['body', 'html', 'main', 'header', 'footer', 'nav']);

const isName =
  /(?:product|item|card|grid)[\w-]*?(?:name|title|heading)|woocommerce-loop-product__title|(?:^|\s)(?:name|title)(?:\s|$)/i;

/** Texts of buttons and labels. Only a whole text matches, because "New Balance 574" is a name. */
const callsToAct =
  /^(?:(?:buy|order|shop)(?: (?:now|it|today|here))?|(?:view|see)(?: (?:more|all|details?|product|options))?|(?:read |learn |find out )?more(?: info(?:rmation)?| details?)?|details?|(?:select|choose) options?|add to \w+|quick (?:view|shop|look)|sale|new|hot|sold out|out of stock|jetzt (?:kaufen|bestellen)|bestellen(?: sie)?(?: jetzt)?|(?:mehr|zum) \w+|mehr|in den warenkorb|details ansehen|(?:comprar|añadir|ver|leer)(?: (?:al carrito|ahora|más|producto))?|(?:acheter|voir|lire)(?: (?:le produit|plus|maintenant|la suite))?|ajouter au panier|choix des options|(?:scopri|leggi)(?: di più| tutto)?|acquista(?: ora)?|aggiungi al carrello|ordina(?: ora)?|köp|kjøp|køb|läs mer|kup teraz|zobacz|do koszyka|koupit|detail|bekijk|bestellen|in winkelwagen|купить|подробнее|в корзину)[\s!:.…»>→]*$/i;

/** Texts of links beside a price that lead to additional costs: "zzgl. Versandkosten", "Shipping calculated at checkout". */
const addedCosts =
  /^(?:(?:plus|excl?\.?|excluding|incl?\.?|including|zzgl\.?|inkl\.?|hors) )?(?:versand(?:kosten| & zahlung| und zahlung(?:sarten)?)?|liefer(?:kosten|zeit(?:en)?)|(?:mwst|ust|steuern)\.?|(?:standard )?(?:shipping|delivery)(?: (?:costs?|fees?|policy|info(?:rmation)?|rates?|& returns|and returns|calculated at checkout))?|tax(?:es)?(?: included)?|vat|livraison|frais de (?:port|livraison)|(?:gastos|costes|costos) de env[ií]o|env[ií]os?|(?:spese|costi) di spedizione|spedizione|verzendkosten|verzending|bezorgkosten|(?:portes|custos) de envio|frete|koszt(?:y)? (?:dostawy|wysyłki)|dostawa|doprava|frakt(?:kostnad)?|fragt|toimituskulut|доставка)[\s!:.…»>*]*$/i;

/** Whether the text can be a name. A price with some words is not a name: "Only 39.99 €". */
const isNamed = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !callsToAct.test(text) &&
  !addedCosts.test(text) &&
  !(text.length < 30 && readPrice(text)?.currencies.length);

/** The name of the product in its card, from an element whose attributes call it a name, a heading, the link text, or the picture text. */
function nameIn(card: Element, link: Element, budget: VisitBudget): string {
  let heading = '';
  let picture = '';
  for (const element of elementsIn(card, budget, 200)) {
    const isNameElement = isName.test(namesOf(element)) || element.attribs.itemprop === 'name';
    if (isNameElement) {
      const text = textIn(element, budget);
      if (isNamed(text)) return text;
    }
    if (heading === '' && /^h[1-6]$/.test(element.name)) heading = textIn(element, budget);
    if (picture === '' && element.name === 'img') picture = (element.attribs.alt ?? '').slice(0, 300);
  }
  return [heading, textIn(link, budget), (link.attribs.title ?? '').slice(0, 300), picture].find(isNamed) ?? '';
}

/** The parts of a page that show products. */
export class ProductCards {
  private readonly budget: PriceBudget = priceBudget(maxVisits);
  private readonly seeds: Seed[];
  private readonly owners: Map<Element, string | null>;
  /** The elements of cards that have a price, with their products. */
  private readonly cards = new Map<Element, string>();
  /** At most one sighting for each product. */
  readonly products: Sighting[];
  private readonly document: PageDocument;
  private readonly page: CardPage;

  constructor(document: PageDocument, page: CardPage) {
    this.document = document;
    this.page = page;
    this.seeds = seedsOf(document, page, this.budget);
    this.owners = ownersOf(this.seeds);
    this.products = this.readProducts();
  }

  /** Whether `element` is the card of a product, and `part` shows another product or several. */
  isForeign(element: Element, part: Element): boolean {
    const path = this.cards.get(element);
    return path !== undefined && path !== this.owners.get(part);
  }

  private readProducts(): Sighting[] {
    const found = new Map<string, Sighting>();
    for (const { link, path, isTemplate } of this.seeds) {
      if (found.get(path)?.price || path === this.page.ownPath) continue;
      const { card, price } = this.around(
        link,
        (above) => wholePage.has(above.name) || this.owners.get(above) === null,
      );
      if (!price && !isTemplate) continue;
      const name = nameIn(card, link, this.budget);
      if (name === '') continue;
      if (price) this.cards.set(card, path);
      const isAsked = !price && hasPriceInWords(card, this.budget);
      const { low, currencies = [] } = price ?? {};
      found.set(path, { path, name, price: low, currencies, structured: false, ...(isAsked && { isAsked }) });
    }
    return [...found.values()];
  }

  /** The product of a product page: the heading of the page and the nearest price. */
  main(): Sighting | undefined {
    const heading = this.document.byTag('h1').find((element) => textIn(element, this.budget) !== '');
    if (!heading || this.page.ownPath === undefined) return undefined;
    const { price } = this.around(heading, ({ name }) => name === 'html');
    if (!price) return undefined;
    const { low, currencies } = price;
    return { path: this.page.ownPath, name: textIn(heading, this.budget), price: low, currencies, structured: false };
  }

  /** The smallest part around `start` that shows a price. Cards of other products are left out. */
  private around(
    start: Element,
    isTooMuch: (part: Element) => boolean,
  ): { card: Element; price: ReadPrice | undefined } {
    const isOther = (element: Element): boolean => this.isForeign(element, start);
    let card = start;
    let price = priceIn(card, this.page.context, this.budget, isOther);
    for (let level = 0; !price && level < maxLevels; level++) {
      const above = parentOf(card);
      if (!above || isTooMuch(above)) break;
      card = above;
      price = priceIn(card, this.page.context, this.budget, isOther);
    }
    return { card, price };
  }
}
