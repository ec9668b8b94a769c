import { parse } from 'tldts';
import type { Listing } from '../catalog/listing.ts';
import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { hasDemoNotice } from './sample-data.ts';
import type { VisibleText } from './visible-text.ts';

/** Pages that run a platform and sell nothing with it: the demonstration of a theme, and the site of an agency that builds shops. */
const demoLabel = /^(?:[a-z0-9-]{1,60}-)?(?:demos?|preview|themedemo|demostore)(?:-[a-z0-9-]{1,60}|\d{1,3})?$/;
/** Where themes are sold. */
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

/** A host such as `demo.themes.example`, whose title says what it shows. A shop below the domain of a platform has any name there. */
function isOnDemoHost({ url, document }: PageEvidence): boolean {
  const { subdomain } = parse(url?.hostname ?? '', { allowPrivateDomains: true });
  if (!subdomain?.split('.').some((label) => demoLabel.test(label))) return false;
  const title = document.byTag('title')[0];
  return title !== undefined && /\b(?:demos?|demonstration|themes?|templates?|preview)\b/i.test(textOf(title, 200));
}

const agency =
  /\b(?:web|digital|e-?commerce|shopify(?: plus)?|magento|woocommerce|prestashop|shopware|bigcommerce|internet|creative|branding|design|development|marketing|werbe|web ?design|full-service)[- ]?(?:agency|agentur|agence|agencia|agenzia|agência|bureau|byrå|agencja|studio)\b|\b(?:agency|agentur|agence|agencia|agenzia|agência|bureau|agencja) (?:for|für|pour|para|per|voor|dla|web|de (?:comercio|marketing|diseño)|e-?commerce|digital(?:e)?|shopify|magento|specialis)|\b(?:shopify|magento|shopware|woocommerce) (?:plus )?(?:experts?|partners?|developers?|specialists?)\b/i;
const basket = /\/(?:cart|basket|checkout|warenkorb|panier|carrito|carrello|winkelwagen|koszyk)\b/i;
const productLink = /\/(?:products?|produkte?|produit|producto|prodotto)\/[^/?#]/i;

/** An agency says so first. A shop has products, or links to them, or a basket with something to put into it. */
function isAgency({ document, metas, anchors }: PageEvidence, listing: Listing | undefined): boolean {
  if (listing !== undefined && listing.products.length > 0) return false;
  const title = document.byTag('title')[0];
  const said = [
    title ? textOf(title, 200) : '',
    metas.get('description')?.[0]?.slice(0, 300) ?? '',
    ...document
      .byTag('h1')
      .slice(0, 2)
      .map((heading) => textOf(heading, 200)),
  ].join('\n');
  return agency.test(said) && !anchors.some((href) => productLink.test(href) || basket.test(href));
}

export function sellsNothing(page: PageEvidence, listing: Listing | undefined, { ends }: VisibleText): boolean {
  return hasDemoNotice(ends) || isOnDemoHost(page) || sellsItsTheme(page) || isAgency(page, listing);
}
