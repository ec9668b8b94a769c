import type { PageEvidence } from '../page/evidence.ts';

/**
 * Indicators that a page is a storefront, on any platform. Strong ones exist only on stores. A link to a basket alone
 * is weak, because blogs about stores and demos of themes have it too.
 */
const cartLink =
  /(?:^|\/)(?:cart|basket|bag|checkout|warenkorb|kasse|panier|carrito|cesta|carrello|carrinho|winkelwagen|koszyk|varukorg|kundvagn|handlekurv|kurv|kosik|sepet|cart-page|shopping[-_]?(?:cart|bag|basket))(?:[/?#.]|$)/i;
const addToCart =
  /add[-_ ]?to[-_ ]?(?:cart|bag|basket)|addtocart|\/cart\/add|add-to-cart=|checkout\/cart\/add|Cart-AddProduct|in den warenkorb|ajouter au panier|añadir al carrito|aggiungi al carrello|do koszyka|lägg i varukorg|adicionar ao carrinho|in winkelwagen|læg i kurv|legg i handlekurv/i;

export interface StorefrontIndicators {
  offers: boolean;
  addToCart: boolean;
  cart: boolean;
  prices: boolean;
}

function hasControl({ document, assets, anchors }: PageEvidence): boolean {
  if (assets.some((url) => addToCart.test(url)) || anchors.some((url) => addToCart.test(url))) return true;
  for (const tag of ['button', 'input', 'a', 'form']) {
    for (const { attribs, children } of document.byTag(tag).slice(0, 1500)) {
      const label = children[0] && 'data' in children[0] ? String(children[0].data).slice(0, 60) : '';
      const text = `${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs.name ?? ''} ${attribs.value ?? ''} ${attribs['data-action'] ?? ''} ${attribs.onclick ?? ''} ${label}`;
      if (addToCart.test(text.slice(0, 600)) || (attribs['data-add'] !== undefined && tag === 'button')) return true;
    }
  }
  return false;
}

function hasPrices({ document, metas }: PageEvidence): boolean {
  if (metas.has('product:price:amount') || metas.has('og:price:amount')) return true;
  return document.elements.some(
    ({ attribs }) =>
      attribs.itemprop === 'price' ||
      attribs['data-price-amount'] !== undefined ||
      /(?:^|[\s_-])(?:price|money|amount)(?:$|[\s_-])/i.test((attribs.class ?? '').slice(0, 200)),
  );
}

export function storefrontIndicators(page: PageEvidence): StorefrontIndicators {
  return {
    offers:
      page.jsonLd.some(
        ({ types, value }) =>
          (types.includes('Product') || types.includes('ProductGroup')) && value.offers !== undefined,
      ) || page.metas.get('og:type')?.[0] === 'product',
    addToCart: hasControl(page),
    cart:
      page.anchors.some((href) => href.length < 300 && cartLink.test(href)) ||
      page.document.byId('cart').length > 0 ||
      page.document.byClass('minicart').length > 0 ||
      page.document.byClass('cart-contents').length > 0,
    prices: hasPrices(page),
  };
}

/** A page without a known platform needs more than one indicator. */
export function isStorefront(signs: StorefrontIndicators, { mixed }: { mixed: boolean }): boolean {
  const count = [signs.offers, signs.addToCart, signs.cart, signs.prices].filter(Boolean).length;
  if (mixed) return signs.addToCart || signs.offers || count >= 2;
  return (signs.offers && count >= 2) || (signs.addToCart && count >= 2);
}
