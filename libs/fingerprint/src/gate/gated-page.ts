import type { Listing } from '../catalog/listing.ts';
import type { Detection } from '../engine/detect.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { VisibleText } from '../profile/visible-text.ts';
import type { StatusState } from '../types.ts';
import type { MatchingWalls } from './matching-walls.ts';
import type { PageRedirect } from './page-redirect.ts';
import type { PageHead, PageSight, PageWords } from './page-sight.ts';

/** The results of detection that the gate uses to decide about a page. */
export interface Seen {
  visible: VisibleText;
  listing: Listing | undefined;
  found: ReadonlyMap<string, Detection>;
  platform: Detection | undefined;
  /** The state of the shop that the page shows. */
  state: StatusState;
}

/** The facts about one page that the gate uses. Words are read on first use. */
export interface GatedPage {
  page: PageEvidence;
  seen: Seen;
  sight: PageSight;
  head(): PageHead;
  words(): PageWords;
  /** The walls whose expressions match the title and the headings, the first words, or the text. */
  matching: { inHead(): MatchingWalls; atStart(): MatchingWalls; inText(): MatchingWalls };
  redirects(): readonly PageRedirect[];
}

const familiesOfMarkup: ReadonlySet<string> = new Set(['network', 'inline', 'markup', 'meta', 'unsourced']);

/** Whether the page itself shows the technology. Headers, cookies and records come with any response of the host. */
export const isInMarkup = ({ families }: Detection): boolean =>
  [...families].some((family) => familiesOfMarkup.has(family));
