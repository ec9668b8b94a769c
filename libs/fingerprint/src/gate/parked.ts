import type { PageEvidence } from '../page/evidence.ts';
import type { VisibleText } from '../profile/visible-text.ts';
import { isShellOfApplication } from './empty-page.ts';
import { redirectsOf } from './page-redirect.ts';
import { hasOwnBasket, type PageSight, saysLittle } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** A page with more letters says something of its own, unless it speaks of domains. */
const maxOwnLetters = 15;
const speaksOfDomains =
  /\bdomain\b|\bdomena\b|\bdomaine\b|\bdominio\b|домен|域名|related (?:searches|links)|sponsored listings/i;
const maxLinks = 12;

/** A page that has nothing to show or to sell. */
const hasNoContents = (page: PageEvidence, { sells }: PageSight, lines: readonly string[]): boolean =>
  !sells && page.images.length <= 1 && page.jsonLd.length === 0 && lettersOf(page, lines) <= maxOwnLetters;

/** Whether an application of the site draws the page. That of a broker has no script but its own. */
const isDrawn = ({ document }: PageEvidence, marks: WallMarks): boolean =>
  isShellOfApplication(document) &&
  document.byTag('script').some((script) => script.attribs.src !== undefined && !marks.isOwnScript(script));

/** Letters of the page without the name of its domain. */
function lettersOf({ site }: PageEvidence, lines: readonly string[]): number {
  const text = lines.join(' ').toLowerCase();
  return (site === '' ? text : text.replaceAll(site, '')).replaceAll(/[^\p{L}]/gu, '').length;
}

/** Whether a registrar or a broker shows the page. `said`: the text of the page. */
export function isParked(page: PageEvidence, said: string, sight: PageSight, { lines }: VisibleText): boolean {
  const targets = redirectsOf(page).map(({ target }) => target);
  const mayBeEmpty = saysLittle(sight) && sight.links <= maxLinks;
  const speaks = mayBeEmpty && speaksOfDomains.test(said);
  const isEmpty = mayBeEmpty && !speaks && hasNoContents(page, sight, lines);
  const showsNothing = (marks: WallMarks): boolean => speaks || (isEmpty && !isDrawn(page, marks));
  const tells = (marks: WallMarks) =>
    (marks.wall.by !== undefined && marks.hasPath(page.url)) ||
    (marks.textual({ all: said }) && !(sight.sells && hasOwnBasket(page))) ||
    marks.elements(page) !== 'none' ||
    // Scripts of a broker, and of others that lead to it, are added to pages of any kind.
    ((speaks || isEmpty) && (marks.leadsTo(targets) || marks.scripted(page)) && showsNothing(marks));
  return wallMarks.some((marks) => marks.wall.kind === 'parked' && tells(marks));
}

/** Whether the address is one of a registrar or a broker, to which it leads the domains that it parks. */
export const isAtBroker = (page: PageEvidence): boolean =>
  wallMarks.some((marks) => marks.wall.kind === 'parked' && marks.wall.hosts !== undefined && marks.decides(page));
