/** What one request brought back. */
export interface Fetched {
  url: string;
  status: number;
  /** Lower-case names; repeated fields joined by ', ' (set-cookie apart). */
  headers: Record<string, string>;
  setCookies: readonly string[];
  body: Uint8Array;
  /** How far the body was read. `cut` = a bound was met, `broken` = the connection ended or stalled before its end. */
  ending: 'whole' | 'cut' | 'broken';
}

/** What a visit to a store brought back. */
export interface StoreVisit {
  page: Fetched;
  /** The page is HTML: there is something to examine. */
  html: boolean;
  /** robots.txt and the platform's public listing, as far as they could be read whole. */
  resources: readonly Fetched[];
  /** Time ran out before the listing was asked for. */
  listingSkipped: boolean;
}

/** Fewer bytes than these of a page that broke off say nothing about a store. */
export const minUsefulBytes = 4_096;

const htmlTypes = ['text/html', 'application/xhtml+xml'];

/** True when a page is there to be examined; a missing content type is judged by the first character. */
export function isHtml(page: Pick<Fetched, 'headers' | 'body'>): boolean {
  const type = (page.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '') return htmlTypes.includes(type);
  const start = Buffer.from(page.body.subarray(0, 256)).toString('latin1').trimStart();
  return start.startsWith('<');
}
