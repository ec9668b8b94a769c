import type { IncomingHttpHeaders } from 'node:http';

/** `end` is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the bytes that a request asks for, or undefined if it gets all of them: without a Range, with one that is invalid, has several
 * parts or begins behind the end, and with an If-Range of another content (RFC 9110, sections 13.1.5 and 14.2).
 */
export function rangeOf(
  headers: Pick<IncomingHttpHeaders, 'range'> & { 'if-range'?: string | undefined },
  { bytes, tag }: { bytes: number; tag: string },
): ByteRange | undefined {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== tag) return undefined;
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes : Math.min(bytes, Number(to) + 1);
  return start < end ? { start, end } : undefined;
}
