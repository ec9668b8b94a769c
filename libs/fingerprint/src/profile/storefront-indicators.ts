import type { Element } from 'domhandler';
import shopWords from '../data/shop-words.rules.json' with { type: 'json' };
import { once } from '../once.ts';
import { isInside, textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { withSingleSpaces } from '../page/single-spaces.ts';
import { wordSet } from '../words.ts';
import { hasProductsInState, leadsToOrders } from './application-shop.ts';
import { visiblePrices } from './currency.ts';
import { takesOrdersByMessage } from './order-messages.ts';
import { sellsByPaymentLinks } from './payment-links.ts';
import { isShellOfShop } from './shell-offers.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * Indicators that a page is a storefront, on any platform and in any of the languages of `data/shop-words.yaml`.
 *
 * Only controls and links within the site count. Prose about shops, quoted code and links to other shops do not count.
 */
const basketName =
  'cart|basket|bag|warenkorb|einkaufswagen|panier|carrito|carro|cesta|carrello|carrinho|sacola|winkelwagen|winkelmand|winkelmandje|koszyk|varukorg|kundvagn|handlekurv|handlevogn|kurv|indkoebskurv|ostoskori|kosik|kosar|cos|cosul-meu|sepet|sepetim|korpa|kosarica|korzina|kosik-nakupni|krepselis|grozs|ostukorv|giohang|gio-hang|keranjang|cart-page|cart-items|mycart|my-cart|viewcart|view-cart|showcart|show-cart|show_cart|view_cart|addcart|shopping[-_]?(?:cart|bag|basket)|shopcart|shop-cart|cart2|(?:mon|votre)[-_]panier|mi[-_]carrito|(?:mein[-_])warenkorb|meu[-_]carrinho|moj[-_]koszyk';
// The basket is near the root of a site. "/docs/checkout/cart" in a manual does not match.
const basketLink = new RegExp(
  `^(?:https?:)?(?://[^/?#]{1,200})?/?(?:\\.{1,2}/){0,8}(?:[a-z]{2}(?:[-_][a-z]{2,4})?/){0,2}(?:(?:shop|store|checkout|kasse|user|account|customer|my|pages|html|index\\.php|onlineshop|webshop|loja|tienda|boutique|sklep|order|buy|main|b2c|home|products?)/){0,2}(?:${basketName})(?:\\.\\w{2,5})?(?:/(?:index\\.\\w{2,5}|view|show|list)?)?(?:[?#].{0,300})?$|[?&](?:route=checkout/cart|page=cart|main_page=shopping_cart|p=cart|view=cart|action=cart|controller=cart|cmd=cart|screen=bask)(?:[&#]|$)`,
  'i',
);
const addToBasketLink =
  /[?&]add-to-cart=|\/cart\/add|checkout\/cart\/add|Cart-AddProduct|[?&](?:action|act|do|cmd)=(?:add_?(?:product|to_?cart|item)|buy_now)\b|\/basket\/add|\/add[-_]?to[-_]?(?:cart|basket|bag)\b/i;
const addToBasketName =
  /(?:^|[\s_-])(?:add|btn)?[-_]?(?:add|put)[-_]?(?:item)?[-_]?(?:in)?to?[-_]?(?:cart|bag|basket)|addtocart|addtobasket|addtobag|cart[-_]?add\b|add_cart\b|in-den-warenkorb/i;
const basketClass =
  /(?:^|[\s_-])(?:mini|header|site|top|side|shopping|menu|nav)?[-_]?(?:cart|basket|minicart)(?:[-_]?(?:link|icon|contents|count|counter|btn|button|toggle|total|qty|quantity|items?|summary|wrapper|drawer|widget))?(?:[\s_-]|$)/i;
/** A part of each name that {@link addToBasketName} or {@link basketClass} matches. */
const basketWord = /cart|basket|bag|warenkorb/i;
const checkoutLink =
  /^(?:https?:)?(?:\/\/[^/?#]{1,200})?\/?(?:\.{1,2}\/){0,8}(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/){0,2}(?:checkout|kasse|kassan|caisse|pokladna|ordine|onepage|bestellen)(?:\.\w{2,5})?\/?(?:[?#].{0,300})?$|[?&]route=checkout\/checkout/i;
const shopLink =
  /^(?:https?:)?(?:\/\/[^/?#]{1,200})?\/?(?:\.{1,2}\/){0,8}(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/){0,2}(?:shop|store|webshop|online-?shop|boutique|tienda|loja|negozio|sklep|butik|winkel|obchod|bolt|magazin|kauppa|all-products|products|produkte|produits|productos|prodotti|produtos)(?:\.\w{2,5})?(?:\/(?:index\.\w{2,5})?)?(?:[?#].{0,200})?$/i;
const productLink =
  /\/(?:product|product-category|product-tag|product-page|produkt|produkt-kategorie|produkt-kategori|produit|categorie-produit|producto|categoria-producto|categoria-prodotto|prodotto|produto|categoria-produto|kategoria-produktu|store\/p|shop\/p|tuote|tuote-osasto|varekategori|vare)\/[^/?#]{2}/i;

const fold = (text: string): string => withSingleSpaces(text.toLowerCase().normalize('NFC'));
const orderLabels = new Set(shopWords.flatMap(({ order }) => order.map(fold)));
/** The label of an order button. Menus of agents, exchanges and dealers have it, too. */
const buyLabel = 'comprar';
const otherDeals = /^(?:alugar|alquilar|arrendar|rentar|vender)(?: |$)/;
const minBuyLinks = 3;
const basketLabels = new Set(shopWords.flatMap(({ basket }) => basket.map(fold)));

/** The total of an empty basket: "0,00 €", "EUR 0,00*". */
const emptyTotal = /^(?:(?:\p{Sc}|\p{L}{2,3})\s?)?0[.,]00\s?(?:\p{Sc}|\p{L}{2,3}(?![\p{L}]))?[\s*|–-]{0,6}/u;

/**
 * Returns a label without the number of items and the total: "Cart (2)", "Basket: €0.00". Before the label, only a zero counts as such a
 * number or total, because "1 bag" may be a quantity of the product.
 */
function bareLabel(text: string): string {
  const folded = fold(text);
  if (/^[a-z ]*$/.test(folded)) return folded;
  return folded
    .replace(/\p{So}|\p{Cf}/gu, '')
    .replace(/^0{1,2}\s?(?=\p{L})/u, '')
    .replace(emptyTotal, '')
    .replace(/[\s:([\-–|/]{0,4}(?:\d|[€$£¥₹]).*$/u, '')
    .replace(/[\s:]{1,3}(?:eur|chf|usd|gbp|pln|czk|sek|nok|dkk|huf|ron|bgn|uah|try|brl|r)$/u, '')
    .replace(/^[\d\s+>»(]+|[\s!.»>:+]+$/g, '')
    .trim();
}

/** Words about the basket in a label for assistive technology: "Open cart", "Öppna varukorgen", "cart-button". */
const basketVerb =
  /^(?:(?:open|close|view|show|toggle|go to|open the|go to my|öffnen|ouvrir|voir|fermer|afficher|abrir|ver|cerrar|mostrar|apri|mostra|vai al|open het|bekijk|otwórz|pokaż|zobacz|öppna|visa|stäng|åbn|vis|åpne|avaa|otevřít|zobrazit|otvoriť|zobraziť|deschide|vezi|открыть|показать|відкрити) )|(?:[ -](?:button|link|öffnen|anzeigen|schließen))$/;

/** Whether the label is the name of the basket, or the name with a word for opening it. */
const namesBasket = (label: string): boolean =>
  basketLabels.has(label) || basketLabels.has(label.replace(basketVerb, ''));

type Indicator =
  /** Products with offers in structured data. */
  | 'offers'
  /** A control that puts a product into the basket. */
  | 'addToCart'
  /** Links that order products by message. */
  | 'messages'
  /** Links that buy a product on the page of a payment service. */
  | 'payments'
  /** Products in the state of an application, beside orders or a basket. */
  | 'application'
  | 'cart'
  | 'checkout'
  /** Two or more visible or marked prices. */
  | 'prices'
  /** Visible prices, in a number that shows a list of products. */
  | 'manyPrices'
  /** A link to the shop of a site that also has other parts. */
  | 'shop'
  /** A link to a product or a category of products. */
  | 'product';

const maxControls = 1500;
/** The limit for the markup of a label. It includes indentation and icons around the label. */
const maxLabelMarkup = 400;
const maxLabelChars = 80;

const isAbroad = (href: string, own: ReadonlySet<string>): boolean =>
  /^(?:https?:)?\/\/[^/?#]{0,200}\./i.test(href) && !own.has(href);

/** Price comparisons put the picture of a basket on links to shops. These links lead through their own click counter. */
const countedClass = /click-?out|affiliate|outbound/i;
const countedUrl =
  /[?&](?:url|u|to|target|dest|destination|redirect)=https?(?:%3A|:)(?:%2F|\/){2}(?:www\.)?([a-z0-9.-]{4,80})/i;

function leadsToOthers({ attribs }: Element, site: string): boolean {
  if (countedClass.test((attribs.class ?? '').slice(0, 300)) || /\bsponsored\b/i.test(attribs.rel ?? '')) return true;
  const host = countedUrl.exec((attribs.href ?? '').slice(0, 1024))?.[1]?.toLowerCase();
  return host !== undefined && host !== site && !host.endsWith(`.${site}`);
}

/** Whether the word "buy" is in a place where agents and dealers open a menu with it: in a link, or in the navigation. */
const mayOpenMenu = (element: Element): boolean =>
  (element.name !== 'button' && element.name !== 'input') ||
  isInside(element, ({ name }) => name === 'nav' || name === 'header');

interface Controls {
  addToCart: boolean;
  cart: boolean;
  /** Whether the bare word "buy" is on a button or on links to several products. The site must not also rent or buy. */
  buys: boolean;
}

/** Reads buttons, links and inputs once. */
function readControls({ document, anchors, site }: PageEvidence): Controls {
  const own = new Set(anchors);
  let addToCart = false;
  let cart = false;
  let hasBuyButton = false;
  let hasOtherDeals = false;
  const buyLinks = new Set<string>();
  /** Labels by their text, because menus repeat them. */
  const seen = new Map<string, string>();
  const read = (element: Element, isLink: boolean): void => {
    const { attribs } = element;
    if (isLink && isAbroad((attribs.href ?? '').slice(0, 1024), own)) return;
    if (leadsToOthers(element, site)) return;
    const names = `${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs.name ?? ''}`.slice(0, 400);
    const marks = `${names} ${attribs['data-action'] ?? ''} ${(attribs.onclick ?? '').slice(0, 200)}`;
    const hasWord = basketWord.test(marks);
    if (!addToCart && ((hasWord && addToBasketName.test(marks)) || (attribs['data-add'] !== undefined && !isLink)))
      addToCart = true;
    if (!cart && hasWord && basketClass.test(names)) cart = true;
    if (addToCart && cart) return;
    for (const text of [attribs.value, attribs.title, attribs['aria-label'], textOf(element, maxLabelMarkup)]) {
      if (!text) continue;
      const known = seen.get(text);
      const label = known ?? bareLabel(withSingleSpaces(text.slice(0, maxLabelMarkup)).slice(0, maxLabelChars));
      if (label === buyLabel) {
        if (isLink) buyLinks.add((attribs.href ?? '').slice(0, 1024));
        else if (!mayOpenMenu(element)) hasBuyButton = true;
      }
      if (known !== undefined) continue;
      seen.set(text, label);
      hasOtherDeals ||= otherDeals.test(label);
      if (!addToCart && orderLabels.has(label)) addToCart = true;
      if (!cart && namesBasket(label)) cart = true;
    }
  };
  for (const element of document.byTag('button').slice(0, maxControls)) read(element, false);
  for (const element of document.byTag('input').slice(0, maxControls))
    if (/^(?:submit|button|image)$/i.test(element.attribs.type ?? '')) read(element, false);
  for (const element of document.byTag('a').slice(0, maxControls)) {
    if (addToCart && cart) break;
    read(element, true);
  }
  // Some pages build their buttons from other elements.
  for (const name of ['button', 'btn'])
    for (const element of document.byClass(name).slice(0, maxControls)) {
      if (addToCart) break;
      if (element.name !== 'a' && element.name !== 'button') read(element, false);
    }
  for (const element of document.byTag('form').slice(0, 200))
    if (
      addToBasketLink.test((element.attribs.action ?? '').slice(0, 1024)) ||
      addToBasketName.test((element.attribs.class ?? '').slice(0, 300))
    )
      addToCart = true;
  return { addToCart, cart, buys: !hasOtherDeals && (hasBuyButton || buyLinks.size >= minBuyLinks) };
}

const priceClass = /(?:^|[\s_-])(?:price|money|amount)(?:$|[\s_-])/i;

function hasMarkedPrices({ document, metas }: PageEvidence): boolean {
  if (metas.has('product:price:amount') || metas.has('og:price:amount')) return true;
  if (document.properties.some(({ attribs }) => attribs.itemprop === 'price')) return true;
  for (const names of document.classValues()) if (priceClass.test(names.slice(0, 200))) return true;
  return document.elements.some(({ attribs }) => attribs['data-price-amount'] !== undefined);
}

/** Each indicator is read only if it is needed, because the first ones often decide. */
function indicatorsOf(page: PageEvidence, visible: VisibleText): Readonly<Record<Indicator, () => boolean>> {
  const { document, anchors, jsonLd, metas } = page;
  const controls = once(() => readControls(page));
  const isLinked = (form: RegExp): boolean => anchors.some((href) => href.length < 500 && form.test(href));
  const priceCount = (): number =>
    [...visiblePrices(visible, document.language)].reduce((sum, [, times]) => sum + times, 0);
  const hasBasket = (): boolean =>
    document.byId('cart').length > 0 ||
    document.byClass('minicart').length > 0 ||
    document.byClass('cart-contents').length > 0;
  const leadsToBasket = (): boolean => isLinked(basketLink) || hasBasket() || controls().cart;
  return {
    offers: () =>
      jsonLd.some(
        ({ types, value }) =>
          (types.includes('Product') || types.includes('ProductGroup')) && value.offers !== undefined,
      ) || metas.get('og:type')?.[0] === 'product',
    addToCart: () =>
      isLinked(addToBasketLink) ||
      controls().addToCart ||
      (controls().buys && (priceCount() > 0 || hasMarkedPrices(page))),
    messages: () => takesOrdersByMessage(page),
    payments: () => sellsByPaymentLinks(page, visible),
    application: () => hasProductsInState(page) && (leadsToOrders(page) || leadsToBasket()),
    cart: leadsToBasket,
    checkout: () => isLinked(checkoutLink),
    prices: () => priceCount() >= 2 || hasMarkedPrices(page),
    manyPrices: () => priceCount() >= 4,
    shop: () => isLinked(shopLink),
    product: () => isLinked(productLink),
  };
}

/** The points of each indicator. The indicators that are cheapest to read come first. */
const points: readonly (readonly [Indicator, number])[] = [
  ['offers', 3],
  ['manyPrices', 1],
  ['product', 2],
  ['checkout', 2],
  ['shop', 1.5],
  ['prices', 1],
  ['addToCart', 3],
  ['messages', 2],
  ['payments', 2],
  ['cart', 2],
  ['application', 4],
];
/** Indicators that a visitor can order. */
const ordering: ReadonlySet<string> = wordSet('addToCart messages payments cart application');
/** German authorities send brochures free of charge. Visitors of their sites put them into a basket. */
const sendsBrochures = ({ metas }: PageEvidence): boolean =>
  metas.get('generator')?.some((generator) => generator.startsWith('Government Site Builder')) ?? false;

const minPointsOfMixed = 3;
const minPoints = 4;

/**
 * `mixed`: the platform of the page sells, but also serves sites that sell nothing. Such a site needs fewer indicators. Without a platform,
 * a page needs a basket or a way to order, and the links of a catalogue do not count. A page without text has neither. Its structured data
 * therefore decide: {@link isShellOfShop}.
 */
export function isStorefront(page: PageEvidence, visible: VisibleText, { mixed }: { mixed: boolean }): boolean {
  const has = indicatorsOf(page, visible);
  if (!mixed && sendsBrochures(page) && !has.prices()) return false;
  let total = 0;
  let hasBasket = false;
  for (const [indicator, worth] of points) {
    if (!mixed && (indicator === 'shop' || indicator === 'product')) continue;
    if (!has[indicator]()) continue;
    total += worth;
    hasBasket ||= ordering.has(indicator);
    if (indicator === 'offers' && isShellOfShop(page, visible)) return true;
    if (mixed ? total >= minPointsOfMixed : hasBasket && total >= minPoints) return true;
  }
  return false;
}

/** A page with at most this much text is an empty shell that scripts fill, or an entry to the shop. */
const maxShellChars = 400;

/** Whether a page of a platform that is used only for shops shows a shop. A page with text and without any sign of a shop does not. */
export function isShopOfPlatform(page: PageEvidence, visible: VisibleText): boolean {
  let chars = 0;
  for (const { length } of visible.lines) {
    chars += length;
    if (chars > maxShellChars) break;
  }
  if (chars <= maxShellChars) return true;
  const has = indicatorsOf(page, visible);
  return points.some(([indicator]) => has[indicator]());
}
