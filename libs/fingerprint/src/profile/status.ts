import type { Listing } from '../catalog/listing.ts';
import { sightOf } from '../gate/page-sight.ts';
import { isAtBroker, isParked } from '../gate/parked.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { mixedPlatforms } from '../rules/index.ts';
import type { StatusState } from '../types.ts';
import { isDemonstration, type Maker, sellsNothing } from './demonstrations.ts';
import { embedsShop } from './embedded-shop.ts';
import { registrable } from './own-host.ts';
import { isShopOfPlatform, isStorefront } from './storefront-indicators.ts';
import type { VisibleText } from './visible-text.ts';

/** Determines the state of the store, as far as one page shows it. Earlier checks take precedence. */
const closedMarks =
  /(?:this|sorry, this|the) (?:shop|store) is (?:currently )?(?:unavailable|closed)(?! (?:on|until|from|for|at|between|during|today|every|mon|tue|wed|thu|fri|sat|sun))|this store (?:is unavailable|does not exist|has been closed)|store (?:is |has been )?permanently closed|store closed(?! (?:on|until|from|for|at|between|during|today|every|mon|tue|wed|thu|fri|sat|sun))|(?:shop|store) (?:is )?no longer (?:available|active)|website expired|we have closed (?:our|the) (?:shop|store)|(?<!tags?:? |day:? |: )shop geschlossen|(?<!dimanche:? |lundi:? |: )boutique (?:est )?fermée(?! (?:le|les|du|de|jusqu))|(?<!: )tienda cerrada(?! (?:los|el|hasta|de))/i;
/** The same marks in further languages. They must be about this shop, and not about its hours. */
const closedMarksOfLanguages =
  /(?:dieser (?:online-?)?shop ist (?:(?:dauerhaft )?geschlossen|nicht (?:mehr )?(?:verfügbar|aktiv))|cette boutique est (?:actuellement )?(?:fermée|indisponible|désactivée)|esta tienda (?:está (?:cerrada|desactivada|suspendida)|no está disponible)|esta loja está (?:fechada|desativada|indisponível|suspensa)|questo negozio (?:è chiuso|non è (?:più )?disponibile)|deze (?:web)?(?:winkel|shop) is (?:gesloten|niet (?:meer )?(?:beschikbaar|actief))|ten sklep jest (?:zamknięty|nieczynny|niedostępny|nieaktywny))(?! (?:am|an|von|vom|bis|le|les|du|jusqu|los|el|hasta|aos|às|das|até|il|la|dal|dalle|fino|op|van|tot|w|od|do|dziś|heute|ieri|oggi|hoy|hoje|aujourd)(?![a-zà-ž]))|この(?:ショップ|ストア|お店)は(?:現在)?(?:閉店|非公開|休止|存在しません)/iu;
/** Whether a text states that the shop is closed, and not only at certain hours. */
export const saysClosed = (said: string): boolean => closedMarks.test(said) || closedMarksOfLanguages.test(said);

const comingSoonMarks =
  /woocommerce-coming-soon-(?:banner|store-only|entire-site|page)|wp-block-woocommerce-coming-soon/;

const maxSmallPageChars = 6000;
const maxSaidChars = 3000;

const isElsewhere = ({ url, requestedHost }: PageEvidence): boolean =>
  Boolean(url && requestedHost) && registrable(url?.hostname ?? '') !== registrable(requestedHost ?? '');

function isPasswordPage({ url, document, html, status }: PageEvidence, platformSlug: string | undefined): boolean {
  if (status === 401) return true;
  const start = html.slice(0, 200_000);
  if (start.includes('woocommerce-coming-soon') && comingSoonMarks.test(start)) return true;
  const bodyClass = document.byTag('body')[0]?.attribs.class ?? '';
  if (/(?:^|\s)(?:template-password|password-page)(?:\s|$)/.test(bodyClass)) return true;
  if (document.byTag('input').some(({ attribs }) => attribs.value === 'storefront_password')) return true;
  // On other platforms, this path may be a form for members who forgot their password.
  return platformSlug === 'shopify' && url?.pathname === '/password';
}

/** Returns the title and the text of a small page, with at most 3,000 characters. Undefined if the page is large. */
function textOfSmall({ document }: PageEvidence): string | undefined {
  const text = textOf(document.byTag('body')[0] ?? document.root, maxSmallPageChars + 1);
  if (text.length > maxSmallPageChars) return undefined;
  return `${document.titleText(300)} ${text}`.slice(0, maxSaidChars);
}

/** `isDetected`: whether the page has a technology. `isCertain`: whether independent traces show the platform. */
export interface Traces {
  isDetected?: (slug: string) => boolean;
  isCertain?: boolean;
  makers?: readonly Maker[];
}

export function statusOf(
  page: PageEvidence,
  platformSlug: string | undefined,
  listing: Listing | undefined,
  visible: VisibleText,
  { isDetected = () => false, isCertain = false, makers = [] }: Traces = {},
): StatusState {
  if (page.status === 0 || page.status >= 500 || page.status === 403 || page.status === 429 || page.status === 451)
    return 'unreachable';
  if (isElsewhere(page)) return isAtBroker(page) ? 'parked' : 'redirected';
  const hasProducts = listing !== undefined && listing.products.length > 0;
  // A platform with products is neither closed nor parked. Its text is therefore not read.
  if (!hasProducts || !platformSlug) {
    const said = textOfSmall(page);
    if (said !== undefined && !hasProducts && saysClosed(said)) return 'closed';
    if (said !== undefined && !platformSlug && isParked(page, said, sightOf(page, visible, listing), visible))
      return 'parked';
  }
  if (page.status >= 400 && page.status !== 401) return 'unreachable';
  if (isPasswordPage(page, platformSlug)) return 'password_protected';
  if (platformSlug ? sellsNothing(page, listing, visible, makers) : isDemonstration(page, visible, makers))
    return 'not_a_storefront';
  if (listing?.source === 'platform' && hasProducts) return 'active_storefront';
  if (embedsShop(page, isDetected)) return 'active_storefront';
  if (platformSlug && !mixedPlatforms.has(platformSlug))
    return isCertain || isShopOfPlatform(page, visible) ? 'active_storefront' : 'not_a_storefront';
  return isStorefront(page, visible, { mixed: platformSlug !== undefined }) ? 'active_storefront' : 'not_a_storefront';
}
