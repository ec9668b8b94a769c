import type { PageEvidence } from '../page/evidence.ts';
import { redirectsOf } from './page-redirect.ts';
import { type PageSight, saysLittle } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/** A page with more text says something of its own, unless it speaks of domains. */
const maxOwnChars = 20;
const speaksOfDomains =
  /\bdomain\b|\bdomena\b|\bdomaine\b|\bdominio\b|домен|域名|related (?:searches|links)|sponsored listings/i;
const maxLinks = 12;

/** Whether a registrar or a broker shows the page. `said`: the text of the page. */
export function isParked(page: PageEvidence, said: string, sight: PageSight): boolean {
  const targets = redirectsOf(page).map(({ target }) => target);
  const showsNothing =
    saysLittle(sight) &&
    sight.links <= maxLinks &&
    // The name of the domain stands twice at most.
    (sight.chars <= maxOwnChars + 2 * page.site.length || speaksOfDomains.test(said));
  const tells = (marks: WallMarks) =>
    marks.decides(page) ||
    marks.textual({ all: said }) ||
    marks.elements(page) !== 'none' ||
    // Scripts of a broker, and of others that lead to it, are added to pages of any kind.
    (showsNothing && (marks.leadsTo(targets) || marks.scripted(page)));
  return wallMarks.some((marks) => marks.wall.kind === 'parked' && tells(marks));
}
