import type { PageEvidence } from '../page/evidence.ts';
import { type GatedPage, isInMarkup } from './gated-page.ts';
import { wallsAtStart } from './matching-walls.ts';
import type { FailingKind } from './page-kinds.ts';
import { codeOf, isPoor } from './page-sight.ts';
import { type WallMarks, wallMarks } from './wall-marks.ts';

/**
 * Recognizes a challenge by its scripts alone, and a redirect to a waiting room by code that leads on. Most stores behind a bot protection
 * have its script on their pages, too. These scripts therefore count only on a page without contents of its own.
 */
const maxCodeChars = 60_000;

export function challengeOfScripts(gated: GatedPage): { fails: FailingKind; by?: string } | undefined {
  const { page, sight } = gated;
  if (!isPoor(sight) || sight.links > 3 || sight.images > 1) return undefined;
  const maker = wallMarks.find(
    (marks) =>
      marks.wall.by !== undefined &&
      (marks.wall.kind === 'challenge' || (marks.wall.kind === 'waiting_room' && leadsOn(page))) &&
      (marks.elements(page) === 'weak' || marks.scripted(page)) &&
      !hasContents(gated, marks),
  );
  if (maker) return { fails: maker.wall.kind as FailingKind, by: maker.wall.by as string };
  return isPuzzle(gated) && !hasContents(gated) ? { fails: 'challenge' } : undefined;
}

/** Whether the page has something that does not belong to the wall: a platform, resources or texts. */
function hasContents({ page, seen, words }: GatedPage, marks?: WallMarks): boolean {
  const { document, assets, jsonLd, status, metas } = page;
  if (seen.platform && isInMarkup(seen.platform)) return true;
  const isForeign = document
    .byTag('script')
    .some((script) => script.attribs.src !== undefined && !(marks?.isOwnScript(script) ?? false));
  if (isForeign || jsonLd.length > 0) return true;
  const isRefused =
    status === 202 || status >= 400 || (metas.get('robots') ?? []).some((value) => /noindex/i.test(value));
  if (isRefused) return false;
  if (assets.some((url) => !(marks?.isOwnAddress(url) ?? false) && !/^(?:\/cdn-cgi\/|#|$)/.test(url))) return true;
  return ownLines(spokenLines(seen.visible.lines, words().title)).length > 0;
}

const spokenLines = (lines: readonly string[], title: string): string[] =>
  lines.filter((line) => /\p{L}{2}/u.test(line) && line.toLowerCase() !== title.toLowerCase());

/** The lines that are not typical texts of walls. */
const ownLines = (lines: readonly string[]): string[] => {
  const said = wallMarks.filter(({ wall }) => wall.kind === 'challenge' && wall.by === undefined);
  return lines.filter((line) => {
    const matching = wallsAtStart({ start: line });
    return !said.some((marks) => matching.has(marks));
  });
};

const leadsOn = (page: PageEvidence): boolean => /\blocation\b/.test(codeOf(page, maxCodeChars));

const setsCookie = /\bdocument\.cookie\s{0,5}=|\bcookieStore\.set\(|\bsetCookie\(/;
const loadsAgain = /\blocation\b|\bsubmit\(|\.click\(\)|\bhistory\.go\(|\breload\(/;
const proves =
  /\bsha-?(?:1|256|512)\b|\bsubtle\.digest\b|\bdifficulty\b|\bnonce\b|\bproof(?:[-_ ]?of[-_ ]?work)?\b|\bpow\b|\bpuzzle\b|\bchallenge\b|\bhashcash\b|\bargon2\b|\bscrypt\b/i;
const isObfuscated = (code: string): boolean =>
  (code.match(/\b_0x[\da-f]{3,8}\b/g)?.length ?? 0) >= 6 ||
  (code.match(/\\x[\da-f]{2}/gi)?.length ?? 0) >= 40 ||
  /\beval\(\s{0,5}(?:function\(p,a,c,k|atob|unescape|String\.fromCharCode)/.test(code);

/** Whether a script computes something and then loads the page again. */
function isPuzzle({ page, sight }: GatedPage): boolean {
  if (sight.chars > 600) return false;
  const code = codeOf(page, maxCodeChars);
  if (code.trim() === '') return false;
  const works = proves.test(code) || isObfuscated(code);
  return (
    (setsCookie.test(code) && loadsAgain.test(code)) ||
    (works && (loadsAgain.test(code) || /\bfetch\(|XMLHttpRequest/.test(code)))
  );
}
