import { registrableDomainOf, siteOf } from '@shopscope/domain-name';
import { getPublicSuffix } from 'tldts';
import type { Listing } from '../catalog/listing.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { hasDemoNotice } from './sample-data.ts';
import type { VisibleText } from './visible-text.ts';

/** Recognizes pages that run a platform but sell nothing: demonstrations of themes, and sites of agencies that build shops. */
/** Addresses of pages that sell themes. */
const themePage =
  /^https?:\/\/(?:themes\.shopify\.com\/themes\/|(?:www\.)?themeforest\.net\/(?:item|cart)\/|(?:[\w-]{1,40}\.)?templatemonster\.com\/|creativemarket\.com\/[^/]+\/|(?:store|themes)\.[\w-]{1,60}\.[a-z]{2,10}\/[\w/-]*(?:themes?|templates?)\/|addons\.prestashop\.com\/)/i;
const sellsTheme =
  /\b(?:buy|purchase|get|download|try) (?:this |the |our )?(?:[\w-]{1,30} )?(?:theme|template|now)\b|\btheme (?:demo|preview)\b|\b(?:demo|preview) (?:store|shop|theme)\b/i;
const maxAnchors = 400;

function sellsItsTheme({ document }: PageEvidence): boolean {
  return document
    .byTag('a')
    .slice(0, maxAnchors)
    .some((anchor) => themePage.test(anchor.attribs.href ?? '') && sellsTheme.test(textOf(anchor, 80)));
}

/** The maker of a part that the page runs: its platform, or one of its themes that rules know. */
export interface Maker {
  name: string;
  website: string;
  isTheme: boolean;
}

/** Words of a label that point to a theme or a demonstration: `warehouse-theme-metal`, `demo3`. */
const demoWords = /(?<![a-z])(?:themes?|demos?|demostore|preview|presets?|templates?|sandbox)(?![a-z])/g;
/** Words of a title that show a demonstration. "Theme park" and the like do not count. */
const saysDemo =
  /\b(?:demos?|demonstration|preview)\b|\b(?:themes?|templates?)\b(?![- ]?(?:park|part|night|room|week))/i;
/** Labels of sites on which the maker of a theme does not show the theme: its shop, its accounts, its help. */
const ownSites = new Set([
  ...['www', 'shop', 'store', 'buy', 'my', 'account', 'accounts', 'app', 'members', 'portal', 'license'],
  ...['checkout', 'cart', 'orders', 'secure', 'b2b', 'wholesale', 'outlet', 'mobile', 'm'],
  ...['help', 'docs', 'support', 'blog', 'forum', 'community', 'status', 'affiliates', 'partners'],
]);
const isOwnSite = (label: string): boolean => ownSites.has(label) || /^[a-z]{2}(?:-[a-z]{2})?$/.test(label);
/** Matches `uxthemes`, `theme-sky` and `websitedemos`, but not `themepark`. */
const vendorOfThemes = /(?:themes?|templates?|demos)$|^(?:themes?|templates?)-/;
const demoPath = /\/(?:demos?|preview|demo-?\d{1,3}|shop-?\d{1,3}|home-?\d{1,3})(?:\/|$)/i;

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
const websiteDomain = ({ website }: Maker): string | null =>
  URL.canParse(website) ? registrableDomainOf(new URL(website).hostname) : null;

/** The letters of the names of the page's themes. The page of a Shopify shop has the name itself: `"schema_name":"Warehouse"`. */
const themeNames = ({ inline }: PageEvidence, makers: readonly Maker[]): string[] =>
  [
    /"schema_name":"([A-Za-z0-9 ]{3,40})"/.exec(inline)?.[1] ?? '',
    ...makers.map(({ name, isTheme }) => (isTheme ? name : '')),
  ]
    .map(letters)
    .filter((name) => name.length > 2);

/**
 * Whether the host shows a theme or a platform. Below the domain of a platform, a shop may have any name. Its label must therefore contain
 * a word for a theme or a demonstration, and its title, its theme or a second word must agree.
 */
function isOnDemoHost(page: PageEvidence, makers: readonly Maker[]): boolean {
  const { url, document } = page;
  const site = url && siteOf(url.hostname);
  if (!url || !site) return false;
  // Below the domain of a platform, the first label is the name of a shop.
  const isShared = getPublicSuffix(url.hostname) !== site.suffix;
  const below = url.hostname.slice(0, -site.domain.length).split('.').filter(Boolean);
  const name = site.domain.slice(0, -site.suffix.length - 1);
  const labels = isShared ? [...below, name] : below;
  const words = labels.flatMap((label) => label.match(demoWords) ?? []);
  if (!isShared) {
    const maker = makers.find((one) => websiteDomain(one) === site.domain);
    const isVendor = vendorOfThemes.test(name) || maker?.isTheme === true;
    if (isVendor && (labels.some((label) => !isOwnSite(label)) || demoPath.test(url.pathname))) return true;
    if (maker && words.length > 0) return true;
  }
  if (words.length === 0) return false;
  if (new Set(words.map((word) => word.replace(/s$/, ''))).size > 1) return true;
  if (saysDemo.test(document.titleText(200))) return true;
  const joined = letters(labels.join(''));
  return (
    isShared &&
    words.some((word) => /^(?:theme|preset|template)/.test(word)) &&
    themeNames(page, makers).some((theme) => joined.includes(theme))
  );
}

const agency =
  /\b(?:web|digital|e-?commerce|shopify(?: plus)?|magento|woocommerce|prestashop|shopware|bigcommerce|internet|creative|branding|design|development|marketing|werbe|web ?design|full-service)[- ]?(?:agency|agentur|agence|agencia|agenzia|agência|bureau|byrå|agencja|studio)\b|\b(?:agency|agentur|agence|agencia|agenzia|agência|bureau|agencja) (?:for|für|pour|para|per|voor|dla|web|de (?:comercio|marketing|diseño)|e-?commerce|digital(?:e)?|shopify|magento|specialis)|\b(?:shopify|magento|shopware|woocommerce) (?:plus )?(?:experts?|partners?|developers?|specialists?)\b/i;
const basket = /\/(?:cart|basket|checkout|warenkorb|panier|carrito|carrello|winkelwagen|koszyk)\b/i;
const productLink = /\/(?:products?|produkte?|produit|producto|prodotto)\/[^/?#]/i;

/** Whether the site is that of an agency: its title, description or headings say so, and it has no products, product links or basket. */
function isAgency({ document, metas, anchors }: PageEvidence, listing: Listing | undefined): boolean {
  if (listing !== undefined && listing.products.length > 0) return false;
  const said = [
    document.titleText(200),
    metas.get('description')?.[0]?.slice(0, 300) ?? '',
    ...document
      .byTag('h1')
      .slice(0, 2)
      .map((heading) => textOf(heading, 200)),
  ].join('\n');
  return agency.test(said) && !anchors.some((href) => productLink.test(href) || basket.test(href));
}

/** Whether the page is the demonstration of a theme or a platform. */
export const isDemonstration = (page: PageEvidence, { ends }: VisibleText, makers: readonly Maker[]): boolean =>
  hasDemoNotice(ends) || isOnDemoHost(page, makers) || sellsItsTheme(page);

export const sellsNothing = (
  page: PageEvidence,
  listing: Listing | undefined,
  visible: VisibleText,
  makers: readonly Maker[],
): boolean => isDemonstration(page, visible, makers) || isAgency(page, listing);
