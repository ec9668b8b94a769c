import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { withSingleSpaces } from '../page/single-spaces.ts';
import type { VisibleText } from './visible-text.ts';

/**
 * Finds links to pages of payment services. Shops without a basket sell each product this way.
 *
 * Donations, invoices, one book or ticket of a site about something else, and plans of software use the same services. The labels of links
 * to several pages must therefore be those of a purchase. A site with prices per month, year or user does not count.
 */
const paymentPage =
  /^https:\/\/(?:paystack\.com\/(?:buy|pay)\/.|paystack\.shop\/.|flutterwave\.com\/(?:[a-z]{2}\/)?(?:pay|store)\/.|(?:buy|checkout)\.stripe\.com\/.|square\.link\/u\/.|checkout\.square\.site\/.|(?:www\.)?paypal\.com\/(?:ncp\/payment\/|cgi-bin\/webscr\?.{0,200}cmd=_(?:xclick|s-xclick|cart)).|rzp\.io\/.|pages\.razorpay\.com\/.|(?:www\.)?instamojo\.com\/@?.|mpago\.(?:la|li)\/.|link\.mercadopago\.com\.[a-z]{2}\/.|pag\.ae\/.|payhip\.com\/b\/.|(?:[\w-]{1,63}\.)?gumroad\.com\/l\/.|[\w-]{1,63}\.lemonsqueezy\.com\/(?:buy|checkout)\/.|pay\.sumup\.com\/.|pay\.yoco\.com\/.|(?:www\.)?payfast\.co\.za\/eng\/process.|selar\.(?:co|com)\/.|iyzi\.link\/.|(?:www\.)?shopier\.com\/.|checkout\.wompi\.co\/l\/.|pay\.(?:hotmart\.com|kiwify\.com\.br)\/.)/i;

const buyLabels = new Set(
  [
    'buy, buy now, buy it, buy it now, buy this, order, order now, purchase, purchase now',
    'kaufen, jetzt kaufen, bestellen, jetzt bestellen, acheter, acheter maintenant, commander, commander maintenant',
    'comprar, comprar ahora, comprar ya, pedir, pedir ahora, comprar agora, comprar já, encomendar, pedir agora',
    'acquista, acquista ora, compra, compra ora, ordina, ordina ora, kopen, koop, koop nu, bestel, bestel nu',
    'kup, kup teraz, zamów, zamów teraz, köp, köp nu, beställ, beställ nu, køb, køb nu, bestil, kjøp, kjøp nå, osta, osta nyt, tilaa',
    'koupit, objednat, kúpiť, objednať, megveszem, megrendelem, vásárlás, cumpără, cumpără acum, comandă, comandă acum',
    'kupi, kupi odmah, kupi zdaj, naruči, naroči, купить, заказать, купити, замовити, купи, поръчай, αγορά, αγόρασε τώρα',
    'satın al, hemen al, sipariş ver, اشتر الآن, اشتري الآن, شراء, اطلب الآن, קנה עכשיו, לרכישה, קנייה, خرید',
    '購入, 購入する, 今すぐ購入, 注文する, 구매, 구매하기, 购买, 立即购买, 購買, 立即購買, ซื้อ, ซื้อเลย, สั่งซื้อ, mua ngay, đặt mua, beli, beli sekarang, pesan sekarang',
  ].flatMap((list) => list.split(', ').map((label) => label.normalize('NFC'))),
);
const planPrice =
  /\d\s?(?:[€$£¥₹₦]|[A-Z]{3})?\s{0,2}(?:\/|(?:per|a|pro|im|par|por|al|ao|à la|pr\.?|na|за|в)\s)\s?(?:mo|month|monthly|year|yr|annum|user|seat|monat|jahr|nutzer|mois|an|utilisateur|mes|año|usuario|mês|ano|mese|anno|utente|maand|jaar|miesiąc|rok|måned|år|månad|месяц|год)(?![\p{L}\p{N}])/iu;

/** A switch or a remark beside the price of a plan. */
const planLabel =
  /^(?:(?:pay |billed |billing )?(?:monthly|annually|yearly|annual)(?: billing| plan| plans)?|monatlich|jährlich|mensuel|annuel|mensual|anual|mensal|mensile|annuale|maandelijks|jaarlijks|miesięcznie|rocznie)$/i;

const maxLinks = 1500;
const maxLabelChars = 60;
const minPages = 2;

/** Returns the label in lower case, without arrows and other signs around it. */
const bare = (text: string): string =>
  withSingleSpaces(text.toLowerCase().normalize('NFC')).replace(/^[^\p{L}]{1,20}|[^\p{L}\p{M}]{1,20}$/gu, '');

/** Whether links with the label of an order lead to several pages of payment services, and the prices are not those of plans. */
export function sellsByPaymentLinks({ document }: PageEvidence, { lines }: VisibleText): boolean {
  const pages = new Set<string>();
  for (const link of document.byTag('a').slice(0, maxLinks)) {
    const href = (link.attribs.href ?? '').slice(0, 500);
    if (paymentPage.test(href) && buyLabels.has(bare(textOf(link, maxLabelChars)))) pages.add(href);
  }
  return (
    pages.size >= minPages &&
    !lines.some((line) => planPrice.test(line.slice(0, 200)) || planLabel.test(line.slice(0, 40).trim()))
  );
}
