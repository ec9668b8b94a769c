import { TextDecoder } from 'node:util';
import { decoderFor, guessCharset } from './guess-charset.ts';

/**
 * Decodes the bytes of a page to text.
 *
 * - The first source that applies decides: byte order mark, `charset` of the content type, `<meta>` in the first bytes, the shifts of
 *   ISO-2022-JP, UTF-8 with few errors, the guess of {@link guessCharset} if it is sure, windows-1252.
 * - A label is unknown -> the next source decides.
 * - A sequence is invalid -> it becomes U+FFFD. The function never throws.
 */
const prescanBytes = 65_536;

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

const charsetIn = (text: string): string | undefined =>
  /charset\s{0,8}=\s{0,8}["']?\s{0,8}([\w.:-]{2,40})/i.exec(text)?.[1];

const endOf = (part: string): number => {
  const at = part.indexOf('-->');
  return at < 0 ? part.length : at + 3;
};
/** A comment without an end hides the text up to the next comment. */
const withoutComments = (html: string): string =>
  html
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.slice(endOf(part))))
    .join('');

/** A page in UTF-16 has a zero byte in each tag. If the bytes have none, the UTF-16 label is wrong. */
function headerEncoding(bytes: Uint8Array, contentType: string): string | undefined {
  const label = charsetIn(contentType.slice(0, 512));
  return label && /^utf-?16/i.test(label) && !bytes.subarray(0, 1_024).includes(0) ? undefined : label;
}

function metaEncoding(bytes: Uint8Array): string | undefined {
  const head = withoutComments(new TextDecoder('latin1').decode(bytes.subarray(0, prescanBytes)));
  for (const tag of head.match(/<(?:meta|\?xml)\b[^>]{0,512}>/gi) ?? []) {
    const label = charsetIn(tag) ?? /encoding=["']([\w.:-]{2,40})/i.exec(tag)?.[1];
    // A page whose `<meta>` is readable as ASCII cannot be in UTF-16, whatever its charset states.
    if (label) return /^utf-?16/i.test(label) ? 'utf-8' : label;
  }
  return undefined;
}

/** ISO-2022-JP has only ASCII bytes. It shifts to Japanese with `ESC $ B` or `ESC $ @`. */
const hasShifts = (bytes: Uint8Array): boolean =>
  ['\u001b$B', '\u001b$@'].some((shift) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(shift)) &&
  bytes.every((byte) => byte < 0x80);

/** The text in UTF-8 if it has few errors. A letter that is cut at the end of the read bytes is such an error. */
const charsPerError = 10;
function nearlyUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(bytes);
  let errors = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) errors++;
    else if (code >= 0x80) others++;
  }
  return others >= errors * charsPerError ? text : undefined;
}

export interface DecodedPage {
  text: string;
  /** Whether the charset is stated or its guess is sure. */
  isSure: boolean;
}

/** `contentType` is the response header as received. */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined): DecodedPage {
  const stated =
    decoderFor(markedEncoding(bytes)) ??
    decoderFor(headerEncoding(bytes, contentType ?? '')) ??
    decoderFor(metaEncoding(bytes));
  if (stated) return { text: stated.decode(bytes), isSure: true };
  if (hasShifts(bytes)) return { text: new TextDecoder('iso-2022-jp').decode(bytes), isSure: true };
  const text = nearlyUtf8(bytes);
  if (text !== undefined) return { text, isSure: true };
  const guess = guessCharset(bytes);
  const decoder = (guess?.isSure ? decoderFor(guess.label) : undefined) ?? new TextDecoder('windows-1252');
  return { text: decoder.decode(bytes), isSure: guess?.isSure ?? false };
}

export const decodePage = (bytes: Uint8Array, contentType: string | undefined): string =>
  decodeBody(bytes, contentType).text;
