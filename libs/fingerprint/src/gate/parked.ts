import { textOf } from '../page/document.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { VisibleText } from '../profile/visible-text.ts';
import { isShellOfApplication } from './empty-page.ts';
import { wallsInText } from './matching-walls.ts';
import { redirectsOf } from './page-redirect.ts';
import { fewLinks, hasOwnBasket, type PageSight, saysLittle } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** A page with more letters has a text of its own, unless that text is about domains. */
const maxOwnLetters = 15;
const speaksOfDomains =
  /\bdomain\b|\bdomena\b|\bdomaine\b|\bdominio\b|домен|域名|related (?:searches|links)|sponsored listings/i;

/** Whether a page has nothing to show or to sell. */
const hasNoContents = (page: PageEvidence, { sells }: PageSight, lines: readonly string[]): boolean =>
  !sells && page.images.length <= 1 && page.jsonLd.length === 0 && lettersOf(page, lines) <= maxOwnLetters;

/** Whether an application of the site renders the page. The page of a broker has only the broker's own script. */
const isDrawn = ({ document }: PageEvidence, marks: WallMarks): boolean =>
  isShellOfApplication(document) &&
  document.byTag('script').some((script) => script.attribs.src !== undefined && !marks.isOwnScript(script));

/** The number of letters of the page, without those in the name of its domain. */
function lettersOf({ site }: PageEvidence, lines: readonly string[]): number {
  const text = lines.join(' ').toLowerCase();
  return (site === '' ? text : text.replaceAll(site, '')).replaceAll(/[^\p{L}]/gu, '').length;
}

const parkedMarks = wallMarks.filter(({ wall }) => wall.kind === 'parked');
const marksOfBrokers = parkedMarks.filter(({ wall }) => wall.hosts !== undefined);

const isTold = (said: string): boolean => {
  const matching = wallsInText(said);
  return parkedMarks.some((marks) => matching.has(marks));
};

/** Quoted texts: text in quotation marks, and text that reports the words of another page. */
const quoted =
  /["\u201c\u201d\u201e]\s?(?=[^"\u201c\u201d\u201e]{0,60}\s)[^"\u201c\u201d\u201e]{3,300}["\u201c\u201d]|[«»‹›][^«»‹›]{3,300}[«»‹›]/gu;
const reported =
  /\b(?:says?|said|saying|reads?|shows?|showing|states?|message|notice|words?|phrase|means?|called|if|when|whether|why|sagt|steht|zeigt|meldet|hei(?:ß|ss)t|wenn|ob|dit|affiche|indique|signifie|dice|muestra|significa|mostra|zegt|toont|als)\b[:,]?(?: (?:that|dass|que|che|dat|a|the|der|die|das|le|la|el|il|de))?[:,]? (?=(?:[\p{L}\p{N}.-]{1,60} ){0,3}?(?:domain|domäne|domein|domaine|dominio|domínio|domena|web ?site))[^.!?]{0,160}/giu;
const unquoted = (said: string): string => said.replace(quoted, ' ').replace(reported, ' ');

const minArticleChars = 300;
/** Whether the page is a text of an author. Such a text may be about domains. */
const isArticle = ({ document, metas, jsonLd }: PageEvidence): boolean =>
  (metas.get('og:type')?.some((type) => /^article$/i.test(type)) ?? false) ||
  jsonLd.some(({ types }) => types.some((type) => /^(?:\w{0,20}Article|BlogPosting)$/.test(type))) ||
  document
    .byTag('article')
    .slice(0, 5)
    .some((article) => textOf(article, minArticleChars).length >= minArticleChars);

/** Whether a registrar or a broker shows the page. `said` is the text of the page. */
export function isParked(page: PageEvidence, said: string, sight: PageSight, { lines }: VisibleText): boolean {
  if (parkedMarks.some((marks) => marks.wall.by !== undefined && marks.hasPath(page.url))) return true;
  // The text is rarely searched a second time, because few pages mention parked domains.
  if (isTold(said) && !(sight.sells && hasOwnBasket(page)) && !isArticle(page) && isTold(unquoted(said))) return true;
  // The marked elements are links. Articles have such links, too.
  if (parkedMarks.some((marks) => marks.elements(page) !== 'none') && !isArticle(page)) return true;
  if (!saysLittle(sight) || sight.links > fewLinks) return false;
  // Scripts of brokers, and scripts that lead to them, are added to pages of any kind.
  const speaks = speaksOfDomains.test(said);
  if (!speaks && !hasNoContents(page, sight, lines)) return false;
  const targets = redirectsOf(page).map(({ target }) => target);
  return parkedMarks.some(
    (marks) => (marks.leadsTo(targets) || marks.scripted(page)) && (speaks || !isDrawn(page, marks)),
  );
}

/** Whether the page has the address of a registrar or broker. Brokers lead the domains that they park to such an address. */
export const isAtBroker = (page: PageEvidence): boolean => marksOfBrokers.some((marks) => marks.decides(page));
