import type { Certificate, DnsKind, DnsRecords, FurtherPageKind } from '@shopscope/fingerprint';

/** The response to one request. */
export interface Fetched {
  url: string;
  status: number;
  /** Lower-case names; repeated fields joined by ', ' (set-cookie apart). */
  headers: Record<string, string>;
  setCookies: readonly string[];
  body: Uint8Array;
  /** How far the body was read. `cut`: a size limit was reached. `broken`: the connection ended or stalled before the end. */
  ending: 'whole' | 'cut' | 'broken';
}

export interface StoreVisit {
  page: Fetched;
  /** robots.txt and the platform's public listing, as far as they were read completely. */
  resources: readonly Fetched[];
  /** The time limit passed before the listing was requested. */
  listingSkipped: boolean;
  dns: DnsRecords;
  /** Kinds of records that were asked for without an answer. */
  dnsUnanswered: readonly DnsKind[];
  certificate: Certificate | undefined;
  /** Further pages of the site, as far as they could be read. */
  further: readonly FurtherPageVisit[];
}

/** What detection reads of a visit, without further pages. */
export type HomeVisit = Pick<StoreVisit, 'page' | 'resources' | 'dns' | 'certificate'>;

export interface FurtherPageVisit {
  kind: FurtherPageKind;
  page: Fetched;
}

/** An interrupted page with fewer bytes counts as no page. */
export const minUsefulBytes = 4_096;

const htmlTypes = ['text/html', 'application/xhtml+xml'];
const noTypes = ['*/*', 'unknown/unknown', 'application/unknown'];
const validType = /^[\w!#$&^.+*-]{1,100}\/[\w!#$&^.+*-]{1,100}$/;

/** The media type of a response, the last one if several are given; '' when it states none, as in the Fetch standard. */
function mediaTypeOf({ 'content-type': stated = '' }: Fetched['headers']): string {
  const types = stated.split(',').map((value) => (value.split(';', 1)[0] ?? '').trim().toLowerCase());
  return types.findLast((type) => validType.test(type) && !noTypes.includes(type)) ?? '';
}

/** False when the response states that it is no HTML. */
export const mayBeHtml = (headers: Fetched['headers']): boolean => ['', ...htmlTypes].includes(mediaTypeOf(headers));

/** True for HTML. Without a media type, the first character decides. */
export function isHtml(page: Pick<Fetched, 'headers' | 'body'>): boolean {
  const type = mediaTypeOf(page.headers);
  if (type !== '') return htmlTypes.includes(type);
  const start = new TextDecoder().decode(page.body.subarray(0, 256)).trimStart();
  return start.startsWith('<');
}

/** True for a body that is no text. */
export function isBinary(body: Uint8Array): boolean {
  const start = body.subarray(0, 1_024);
  const controls = start.filter((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b).length;
  return controls > start.length / 50;
}
