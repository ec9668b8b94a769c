import type { Certificate, DnsKind, DnsRecords, FurtherPageKind } from '@shopscope/fingerprint';

/** The response to one request. */
export interface Fetched {
  url: string;
  status: number;
  /** Headers with names in lower case. Repeated fields are joined by ', ', except set-cookie. */
  headers: Record<string, string>;
  setCookies: readonly string[];
  body: Uint8Array;
  /** How much of the body was read. `cut`: a size limit was reached. `broken`: the connection ended or stalled before the end. */
  ending: 'whole' | 'cut' | 'broken';
}

export interface StoreVisit {
  page: Fetched;
  /** robots.txt and the platform's public listing, if they were read completely. */
  resources: readonly Fetched[];
  /** Whether time or capacity ran out before the listing could be read. */
  listingSkipped: boolean;
  dns: DnsRecords;
  /** The kinds of records that were requested and got no answer. */
  dnsUnanswered: readonly DnsKind[];
  certificate: Certificate | undefined;
  /** The further pages of the site that could be read. */
  further: readonly FurtherPageVisit[];
}

/** The part of a visit that detection reads, without further pages. */
export type HomeVisit = Pick<StoreVisit, 'page' | 'resources' | 'dns' | 'certificate'>;

export interface FurtherPageVisit {
  kind: FurtherPageKind;
  page: Fetched;
}

/** An interrupted page with fewer bytes than this counts as no page. */
export const minUsefulBytes = 4_096;

const htmlTypes = ['text/html', 'application/xhtml+xml'];
const noTypes = ['*/*', 'unknown/unknown', 'application/unknown'];
const validType = /^[\w!#$&^.+*-]{1,100}\/[\w!#$&^.+*-]{1,100}$/;

/** Returns the last media type of a response. It is '' if the response states none, as in the Fetch standard. */
function mediaTypeOf({ 'content-type': stated = '' }: Fetched['headers']): string {
  const types = stated.split(',').map((value) => (value.split(';', 1)[0] ?? '').trim().toLowerCase());
  return types.findLast((type) => validType.test(type) && !noTypes.includes(type)) ?? '';
}

/** Whether the response may be HTML. False only if it states another media type. */
export const mayBeHtml = (headers: Fetched['headers']): boolean => ['', ...htmlTypes].includes(mediaTypeOf(headers));

/** Whether the page is HTML. Without a media type, the first character decides. */
export function isHtml(page: Pick<Fetched, 'headers' | 'body'>): boolean {
  const type = mediaTypeOf(page.headers);
  if (type !== '') return htmlTypes.includes(type);
  const start = new TextDecoder().decode(page.body.subarray(0, 256)).trimStart();
  return start.startsWith('<');
}

/** Whether a body is not text. */
export function isBinary(body: Uint8Array): boolean {
  const start = body.subarray(0, 1_024);
  const controls = start.filter((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b).length;
  return controls > start.length / 50;
}
