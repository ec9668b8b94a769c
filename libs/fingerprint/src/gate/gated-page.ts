import type { Listing } from '../catalog/listing.ts';
import type { Detection } from '../engine/detect.ts';
import type { PageEvidence } from '../page/evidence.ts';
import type { VisibleText } from '../profile/visible-text.ts';
import type { StatusState } from '../types.ts';
import type { PageRedirect } from './page-redirect.ts';
import type { PageHead, PageSight, PageWords } from './page-sight.ts';
import type { ToldWalls } from './told.ts';

/** What detection has read of a page before the gate decides. */
export interface Seen {
  visible: VisibleText;
  listing: Listing | undefined;
  found: ReadonlyMap<string, Detection>;
  platform: Detection | undefined;
  /** What the page says about the shop. */
  state: StatusState;
}

/** What the gate knows of one page. Words are read when they are first needed. */
export interface GatedPage {
  page: PageEvidence;
  seen: Seen;
  sight: PageSight;
  head(): PageHead;
  words(): PageWords;
  /** The walls that the title and the headings tell, those that the first words tell, and those that the text tells. */
  told: { byHead(): ToldWalls; byStart(): ToldWalls; byText(): ToldWalls };
  redirects(): readonly PageRedirect[];
}

const familiesOfMarkup: ReadonlySet<string> = new Set(['network', 'inline', 'markup', 'meta', 'unsourced']);

/** Whether the page itself shows the technology. Headers, cookies and records come with any answer of the host. */
export const isInMarkup = ({ families }: Detection): boolean =>
  [...families].some((family) => familiesOfMarkup.has(family));
