import type { PageEvidence } from '../page/evidence.ts';
import { redirectsOf } from './page-redirect.ts';
import { wallMarks } from './wall-marks.ts';

/** Whether a registrar or a broker shows the page. `said`: the text of the page. */
export function isParked(page: PageEvidence, said: string): boolean {
  const targets = redirectsOf(page).map(({ target }) => target);
  return wallMarks.some(
    (marks) =>
      marks.wall.kind === 'parked' &&
      (marks.decides(page) ||
        marks.textual({ all: said }) ||
        marks.leadsTo(targets) ||
        marks.elements(page) !== 'none' ||
        marks.scripted(page)),
  );
}
