import type { Listing } from '../catalog/listing.ts';
import { isInside, scriptText, textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { VisibleText } from '../profile/visible-text.ts';

/**
 * Measures of the visible page for the gate: how much content of its own the page has, and its first words.
 *
 * - Cheap for the page of a store, because counting stops at the limits below.
 */
export interface PageSight {
  /** The number of different link targets within the site, without the page itself; at most {@link maxLinks}. */
  links: number;
  /**
   * The number of links to contents of the site. Its terms, a contact, a form for customers and another language are not contents. If there
   * are more than {@link fewLinks}, all links count.
   */
  contents: number;
  /** The number of characters of visible text; at most {@link maxChars}. */
  chars: number;
  images: number;
  /** Whether the page shows products, prices or a basket. */
  sells: boolean;
}

/** The title and the headings of a page. */
export interface PageHead {
  title: string;
  headings: readonly string[];
}

/** The words of a page. They are read only if the page shows little. */
export interface PageWords extends PageHead {
  /** The first visible text. */
  start: string;
  /** The visible text and the text of `noscript`. */
  all: string;
}

/** A page with more links than this is not small. */
export const fewLinks = 12;
export const maxLinks = fewLinks + 1;
export const maxChars = 6_000;
const maxTitleChars = 300;
const maxHeadings = 6;
const maxStartChars = 300;
const maxNoscripts = 5;
const maxNoscriptChars = 500;

/** Whether the page shows so little that it may be a wall of any maker. */
export const isSmall = ({ links, chars, sells }: PageSight): boolean => links <= fewLinks && chars < maxChars && !sells;
/** Whether the page shows so little that the words of one maker in its text decide. */
export const saysLittle = ({ contents, chars }: PageSight): boolean => contents <= 1 && chars <= 2_500;
/** Whether the page shows so little that its title or heading decides. */
export const isPoor = ({ links, contents, chars, sells }: PageSight): boolean =>
  links <= 9 && contents <= 1 && chars <= 1_500 && !sells;
/** Whether the page shows so little that its first words decide. */
export const isBare = ({ links, contents, chars, sells }: PageSight): boolean =>
  links <= 3 && contents <= 1 && chars <= 600 && !sells;

const priced =
  /(?:[$€£¥₹₽₩₫₴₺]|\b(?:eur|usd|gbp|chf|kr|zł|kč|ft|lei|r\$))\s?\d|\d[\d.,\u00a0 ]{0,12}\s?(?:[$€£¥₹₽₩₫₴₺]|(?:eur|usd|gbp|chf|kr|zł|kč|ft|lei|руб|грн)\b)/i;
const basketPath = /\/(?:cart|basket|checkout|warenkorb|panier|carrito|carrello|carrinho|winkelwagen|koszyk|kosik)\b/i;

/** Pages that every site has, walls included. */
const utility =
  /privacy|datenschutz|confidential|privacidad|gizlilik|terms|condition|agb\b|cg[uv]\b|legal|impressum|imprint|disclaimer|polic(?:y|ies)|cookie|consent|gdpr|contact|kontakt|contatt|contato|help|hilfe|faq|support|about|log-?in|log-?out|sign-?(?:in|up)|regist|account|konto|password|passwort|forgot|recover|reset|anmeld|age|verify|captcha|rss|feed|sitemap|accessib|lang|locale|wp-(?:login|admin)|enter|exit|leave|home|index|refresh|retry|#/i;
/** A link to another language of the page, or to the page with other parameters. */
const samePage = /^(?:https?:\/\/[^/]+)?\/?(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:\?.*)?$/i;
const isUtility = (target: string): boolean => samePage.test(target) || utility.test(target);

export function sightOf(page: PageEvidence, visible: VisibleText, listing: Listing | undefined): PageSight {
  const { anchors, url, images } = page;
  const targets = new Set<string>();
  for (const anchor of anchors) {
    if (targets.size >= maxLinks) break;
    const target = anchor.trim().split('#', 1)[0] ?? '';
    if (
      target !== '' &&
      target !== '/' &&
      target !== url?.pathname &&
      !/^(?:javascript|mailto|tel|data):/i.test(target)
    )
      targets.add(target);
  }
  let chars = 0;
  for (const { length } of visible.lines) {
    chars += length;
    if (chars >= maxChars) break;
  }
  const isFew = targets.size <= fewLinks;
  const contents = isFew ? [...targets].filter((target) => !isUtility(target)).length : targets.size;
  const sight = { links: targets.size, contents, chars, images: images.length, sells: false };
  return isSmall(sight) ? { ...sight, sells: sells(page, visible, listing) } : sight;
}

/** The addresses that lead to a basket, or put something into one. */
const basketUrls = ({ anchors, document }: PageEvidence): string[] =>
  [...anchors, ...document.byTag('form').map(({ attribs }) => attribs.action ?? '')].filter((url) =>
    basketPath.test(url),
  );

/** Whether the page leads to a basket on its own host. The basket of a broker is on the broker's host. */
export const hasOwnBasket = (page: PageEvidence): boolean => basketUrls(page).some(page.isOwnUrl);

function sells(page: PageEvidence, { lines }: VisibleText, listing: Listing | undefined): boolean {
  const hasProducts = listing !== undefined && listing.products.length > 0;
  return hasProducts || basketUrls(page).length > 0 || lines.some((line) => priced.test(line));
}

const plain = (text: string): string => text.replaceAll(/[\u2018\u2019\u02bc`´]/g, "'");

export function headOf({ document }: PageEvidence, most = maxHeadings): PageHead {
  const title = document.byTag('title').find((element) => !isInside(element, ({ name }) => name === 'svg'));
  const headings: string[] = [];
  for (const element of ['h1', 'h2', 'h3'].flatMap((name) => document.byTag(name).slice(0, maxHeadings))) {
    if (headings.length === most) break;
    const text = plain(textOf(element, maxTitleChars));
    if (text !== '') headings.push(text);
  }
  return { title: title ? plain(textOf(title, maxTitleChars)) : '', headings };
}

export function wordsOf({ document, html }: PageEvidence, { lines }: VisibleText, head: PageHead): PageWords {
  const unscripted = document
    .byTag('noscript')
    .slice(0, maxNoscripts)
    .map((element) => textOf(element, maxNoscriptChars));
  const shown = plain(lines.join(' ').slice(0, maxChars));
  // Without an element `head`, the title is a text of the page, and a heading may repeat it. It is then removed from the text.
  const isText = !document.byTag('title').some((element) => isInside(element, ({ name }) => name === 'head'));
  const seen = isText && shown.startsWith(head.title) ? shown.slice(head.title.length).trimStart() : shown;
  return {
    ...head,
    // A response of plain text, such as XML of an object store, has no visible element.
    start: seen.slice(0, maxStartChars) || (document.elements.length === 0 ? plain(html.slice(0, maxStartChars)) : ''),
    all: `${seen}\n${plain(unscripted.join('\n'))}`,
  };
}

/** The code of the scripts of a page, with at most `chars` characters of inline code. */
export const codeOf = ({ document, inline }: PageEvidence, chars: number): string =>
  // Blocks of data are not code, but walls have their puzzle in them.
  `${inline.slice(0, chars)}\n${document
    .byTag('script')
    .filter(({ attribs }) => /json/i.test(attribs.type ?? ''))
    .slice(0, 5)
    .map((element) => scriptText(element).slice(0, 2_000))
    .join('\n')}`;

/** Words of a page that only leads elsewhere. */
export const onTheWay =
  /redirect|moved|click (?:here|this|the)|continue|loading|one moment|please wait|javascript|(?:um|weiter)(?:ge)?leit|klick|bitte warten|laden|cliquez|redirig|chargement|patient|haga clic|pulse|cargando|espere|redirecion|clique|carregando|clicca|reindirizz|caricamento|attend|doorverw|doorgestuurd|klik|przekier|kliknij|přesměr|kliknět|перенаправ|нажмите|загрузк|tıklay|yönlendir|リダイレクト|移動|クリック|跳转|点击|이동|클릭/i;
