import { scriptText, textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { withSingleSpaces } from '../page/single-spaces.ts';

/**
 * Recognizes shops that an application renders in the browser. The page has no text of products, but the initial state of the application
 * has them. Catalogues of manufacturers have the same data. The site must therefore also lead to the visitor's orders or basket.
 */
const stateVariable =
  /\b__(?:NUXT|NUXT_DATA|INITIAL_STATE|PRELOADED_STATE|APOLLO_STATE|REDUX_STATE|STATE|INITIAL_DATA)__\b|\b__remixContext\b/;
const stateElements = ['__NEXT_DATA__', '__NUXT_DATA__', 'serverApp-state', 'ng-state'];
const stockNumber = /\bsku"?\s{0,3}:\s{0,3}"([^"\\\n]{1,64})"/gi;
const priceMember = /\b(?:[a-z]{1,20}_)?price"?\s{0,3}:/gi;
const minProducts = 3;
const maxStateChars = 500_000;

const hasAtLeast = (text: string, form: RegExp): boolean => {
  const seen = new Set<string>();
  for (const match of text.matchAll(form))
    if (seen.add(match[1] ?? String(match.index)).size >= minProducts) return true;
  return false;
};

/** Whether the state of an application has several products with stock numbers and prices. */
export function hasProductsInState({ document, inline }: PageEvidence): boolean {
  const at = inline.search(stateVariable);
  const states = [
    at === -1 ? '' : inline.slice(at, at + maxStateChars),
    ...stateElements.map((id) => {
      const element = document.byId(id)[0];
      return element?.name === 'script' ? scriptText(element).slice(0, maxStateChars) : '';
    }),
  ];
  return states.some((state) => hasAtLeast(state, stockNumber) && hasAtLeast(state, priceMember));
}

const ordersLink =
  /(?:^|\/)(?:sales\/order\/history|(?:customer|account|my-account|user|profile|me)\/(?:my-?)?orders?(?:-history)?|my-?orders|order-history|orders\/history|mis-(?:pedidos|ordenes|compras)|meus-pedidos|mes-commandes|meine-bestellungen|moje-zamowienia|siparislerim)(?:\.\w{2,5})?\/?(?:[?#].{0,200})?$/i;
const ordersLabels = new Set(
  'my orders, your orders, order history, mis pedidos, mis órdenes, mis compras, meus pedidos, minhas compras, minhas encomendas, mes commandes, meine bestellungen, mijn bestellingen, i miei ordini, moje zamówienia, mina beställningar, mine ordrer, mine bestillinger, tilaukseni, moje objednávky, rendeléseim, comenzile mele, мои заказы, мої замовлення, моите поръчки, οι παραγγελίες μου, siparişlerim, طلباتي, ההזמנות שלי, 注文履歴, 購入履歴, 주문내역, 주문조회, 我的订单, 我的訂單, đơn hàng của tôi, pesanan saya'.split(
    ', ',
  ),
);
const maxLinks = 1500;

/** Whether the site has a link or button to the orders of the visitor. */
export function leadsToOrders({ document, anchors }: PageEvidence): boolean {
  if (anchors.some((href) => href.length < 500 && ordersLink.test(href))) return true;
  return ['a', 'button'].some((tag) =>
    document
      .byTag(tag)
      .slice(0, maxLinks)
      .some((element) => ordersLabels.has(withSingleSpaces(textOf(element, 60).toLowerCase().normalize('NFC')).trim())),
  );
}
