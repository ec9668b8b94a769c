import { once } from '../once.ts';
import type { PageEvidence } from '../page/evidence.ts';
import { saysClosed } from '../profile/status.ts';
import { askedFor, asksForData, asksForPassword } from './asked-for.ts';
import { challengeOfScripts } from './challenge-of-scripts.ts';
import { isEmpty } from './empty-page.ts';
import type { GatedPage, Seen } from './gated-page.ts';
import { anySizeWallsInHead, marksOfAnySize, wallsAtStart, wallsInHead, wallsInText } from './matching-walls.ts';
import { type FailingKind, failureOf, type PageFailure } from './page-kinds.ts';
import { addressOf, isSameSite, redirectsOf } from './page-redirect.ts';
import { headOf, isBare, isPoor, isSmall, onTheWay, saysLittle, sightOf, wordsOf } from './page-sight.ts';
import { hasReturnUrl } from './return-url.ts';
import { isForMachines, isUnreadable } from './unreadable.ts';
import type { WallKind } from './wall.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';
import { wallOfResponse } from './wall-of-response.ts';

/**
 * Decides whether a response is the store's own page, before anything is observed in it. `page-kinds.ts` has all results.
 *
 * - A store's page with the script of its bot protection is a page. Marks that such pages have, too, count only on a page without contents.
 * - The order of the checks is: responses that are not text, marks of the response and of makers of walls, the status, words that all walls
 *   use, and missing contents.
 * - A page of usual size costs a few look-ups. The function never throws.
 */
type Result = { fails: FailingKind; by?: string; leadsTo?: string } | 'page';

export function gate(page: PageEvidence, seen: Seen): PageFailure | undefined {
  const head = once(() => headOf(page));
  const words = once(() => wordsOf(page, seen.visible, head()));
  const gated: GatedPage = {
    page,
    seen,
    sight: sightOf(page, seen.visible, seen.listing),
    head,
    words,
    matching: {
      inHead: once(() => wallsInHead(head())),
      atStart: once(() => wallsAtStart(words())),
      inText: once(() => wallsInText(words().all)),
    },
    redirects: () => redirectsOf(page),
  };
  for (const step of steps) {
    const result = step(gated);
    if (result === 'page') return undefined;
    if (result === undefined) continue;
    const { fails, by, leadsTo } = result;
    return { ...failureOf(fails, by), ...(leadsTo && { leadsTo }) };
  }
  return undefined;
}

const marksOfEnds = wallMarks.filter(({ wall }) => wall.ends);

const steps: readonly ((gated: GatedPage) => Result | undefined)[] = [
  ({ page }) => (isForMachines(page.html) && !isErrorOfStatus(page) ? { fails: 'not_html' } : undefined),
  ({ page }) => (isUnreadable(page.html) ? { fails: 'undecodable' } : undefined),
  ({ page }) => resultOf(wallOfResponse(page)),
  wallOfAnySize,
  brokenOff,
  wallOfMaker,
  challengeOfScripts,
  bareProof,
  (gated) => (gated.page.status >= 400 && asksForProof(gated) ? { fails: 'challenge' } : undefined),
  (gated) => wallOfWords(gated, 'waiting_room'),
  ofStatus,
  ({ seen }) => (seen.state === 'password_protected' ? 'page' : undefined),
  (gated) => (gated.page.status < 400 || isMissing(gated) ? wallOfWords(gated, 'error') : undefined),
  ({ seen }) => (seen.state === 'parked' ? 'page' : undefined),
  (gated) => wallOfWords(gated, 'maintenance'),
  (gated) => (gated.page.status >= 400 && isMissing(gated) && isEmpty(gated) ? { fails: 'empty' } : undefined),
  ({ seen }) => (seen.state === 'closed' ? 'page' : undefined),
  (gated) => wallOfWords(gated, 'age_wall') ?? wallOfWords(gated, 'consent_wall'),
  (gated) => wallOfWords(gated, 'login_wall') ?? bareLogin(gated) ?? wallOfWords(gated, 'challenge'),
  ({ page }) => (page.status >= 400 ? { fails: 'error' } : undefined),
  otherSite,
  frames,
  shell,
  (gated) => (isEmpty(gated) ? { fails: 'empty' } : undefined),
];

function resultOf(marks: WallMarks | undefined): Result | undefined {
  if (!marks) return undefined;
  const { kind, by } = marks.wall;
  return kind === 'parked' ? 'page' : { fails: kind, ...(by && { by }) };
}

/** An error of the stack adds no information to a response whose status refuses or fails. */
const isErrorOfStatus = ({ status }: PageEvidence): boolean =>
  status >= 500 || status === 401 || status === 403 || status === 429 || status === 451;

function wallOfAnySize({ page, sight }: GatedPage): Result | undefined {
  if (sight.sells) return undefined;
  const matching = anySizeWallsInHead(headOf(page, 1));
  return resultOf(
    marksOfAnySize.find(
      (marks) =>
        !(marks.wall.kind === 'error' && isErrorOfStatus(page)) &&
        (matching.has(marks) || marks.elements(page) === 'strong'),
    ),
  );
}

/** Whether an error response means a missing page. It does not if its words state that the shop is closed. */
const isMissing = ({ words }: GatedPage): boolean => !saysClosed(`${words().title} ${words().start}`);

/** An error text at the end of a page that breaks off there. */
function brokenOff({ page, seen }: GatedPage): Result | undefined {
  if (/<\/(?:body|html)\s{0,9}>/i.test(page.html.slice(-4_000)) || isErrorOfStatus(page)) return undefined;
  const end = seen.visible.foot.slice(-1_500);
  return resultOf(marksOfEnds.find((marks) => marks.ends(end)));
}

/** A wall that its maker's own marks show, on a page with little content. */
function wallOfMaker({ page, sight, matching, redirects }: GatedPage): Result | undefined {
  if (!isSmall(sight)) return undefined;
  const targets = redirects().map(({ target }) => target);
  return resultOf(
    wallMarks.find((marks) => {
      const { by, kind } = marks.wall;
      if (by === undefined || (kind === 'error' && isErrorOfStatus(page))) return false;
      return (
        marks.leadsTo(targets) ||
        marks.elements(page) === 'strong' ||
        (saysLittle(sight) && matching.inText().has(marks)) ||
        (isPoor(sight) && matching.inHead().has(marks)) ||
        (isBare(sight) && matching.atStart().has(marks))
      );
    }),
  );
}

function ofStatus({ page: { status } }: GatedPage): Result | undefined {
  if (status === 401 || status === 403 || status === 451) return { fails: 'forbidden' };
  if (status === 429) return { fails: 'rate_limited' };
  if (status >= 500 || status === 0) return { fails: 'server_error' };
  return undefined;
}

const general = Map.groupBy(
  wallMarks.filter(({ wall }) => wall.by === undefined),
  ({ wall }) => wall.kind,
);
const generalOf = (kind: WallKind): readonly WallMarks[] => general.get(kind) ?? [];

/** A wall that is shown by words which all walls use: in the title or a heading of a poor page, or at the top of a bare page. */
function wallOfWords(gated: GatedPage, kind: WallKind): Result | undefined {
  const { page, sight, matching } = gated;
  if (!isPoor(sight)) return undefined;
  const isTold = generalOf(kind).some(
    // Shops of any size tell visitors about cookies. Only a page that is about cookies asks for consent.
    (marks) =>
      matching.inHead().has(marks) ||
      marks.hasPath(page.url) ||
      (kind !== 'consent_wall' &&
        isBare(sight) &&
        (kind !== 'error' || sight.contents === 0) &&
        matching.atStart().has(marks)),
  );
  return isTold && askedFor(kind, gated) ? { fails: kind as FailingKind } : undefined;
}

/** Whether the page has words of a challenge, and the task that the visitor has to solve. */
const asksForProof = (gated: GatedPage): boolean =>
  wallOfWords(gated, 'challenge') !== undefined &&
  generalOf('challenge').some((marks) => marks.elements(gated.page) === 'strong' || marks.scripted(gated.page));

/** A page that shows only a captcha. */
function bareProof(gated: GatedPage): Result | undefined {
  const { page, sight } = gated;
  const isAlone = isBare(sight) && sight.contents === 0 && sight.chars <= maxCharsAroundProof && sight.images <= 2;
  if (!isAlone || asksForData(gated)) return undefined;
  return generalOf('challenge').some((marks) => marks.elements(page) === 'strong') ? { fails: 'challenge' } : undefined;
}

function otherSite({ page, seen }: GatedPage): Result | undefined {
  const { url, requestedHost } = page;
  if (seen.state !== 'redirected' || !url || !requestedHost) return undefined;
  if (!hasReturnUrl(url, requestedHost)) return undefined;
  const place = `${url.hostname}${url.pathname}`;
  const kind = places.find(([, pattern]) => pattern.test(place))?.[0];
  return { fails: kind ?? 'interstitial' };
}

const places: readonly (readonly [FailingKind, RegExp])[] = [
  ['login_wall', /log-?in|sign-?in|logon|account|auth|sso|identity|session/i],
  ['consent_wall', /consent|privacy|cookie|gdpr|cmp\b/i],
  ['age_wall', /\bage|adult|18/i],
  ['waiting_room', /queue|wait|line\b/i],
  ['challenge', /captcha|challenge|verify|validate|bot|check/i],
];

/** A page that has almost no text and asks for a password. */
const bareLogin = (gated: GatedPage): Result | undefined =>
  isBare(gated.sight) &&
  gated.sight.chars <= maxCharsAroundLogin &&
  gated.sight.contents === 0 &&
  asksForPassword(gated)
    ? { fails: 'login_wall' }
    : undefined;

/** Framesets have no text of their own, because the store is in another document. */
function frames({ page: { document }, seen }: GatedPage): Result | undefined {
  const isShell = document.byTag('frameset').length > 0 && document.byTag('frame').length > 0;
  return isShell && seen.listing === undefined ? { fails: 'redirect' } : undefined;
}

/** A page that shows nothing and leads elsewhere. If it loads itself again, it is a challenge for clients that run no scripts. */
function shell(gated: GatedPage): Result | undefined {
  const { page, sight, redirects } = gated;
  if (!isBare(sight) || sight.images > 3) return undefined;
  const [first] = redirects();
  if (!first) return undefined;
  const address = addressOf(first, page);
  // A frame belongs to the page if the page has a text or links of its own.
  if (first.by === 'frame' && (sight.chars > maxCharsAroundFrame || sight.links > 0 || gated.seen.platform))
    return undefined;
  if ((first.by === 'script' || first.by === 'form') && !isShellOfScript(gated)) return undefined;
  if (address === 'self') return { fails: 'challenge', ...(page.url && { leadsTo: page.url.href }) };
  if (first.by === 'form')
    return { fails: address && page.url && isSameSite(address, page.url) ? 'challenge' : 'redirect' };
  const isFollowed =
    first.by !== 'frame' && address !== undefined && page.url !== undefined && isSameSite(address, page.url);
  return { fails: 'redirect', ...(isFollowed && { leadsTo: address.href }) };
}

/** Whether the page is only a script that leads elsewhere. Scripts of usual pages do so under some condition. A shell has no other text. */
function isShellOfScript({ page, seen, words }: GatedPage): boolean {
  const loaded = page.document.byTag('script').filter(({ attribs }) => attribs.src !== undefined);
  if (loaded.length > 1 || seen.platform !== undefined || page.inline.length >= maxShellChars) return false;
  const title = words().title.toLowerCase();
  return seen.visible.lines.every(
    (line) => !/\p{L}{2}/u.test(line) || line.toLowerCase() === title || onTheWay.test(line),
  );
}

const maxShellChars = 8_000;
const maxCharsAroundFrame = 40;
const maxCharsAroundLogin = 200;
const maxCharsAroundProof = 200;
