import { parsedJson } from '../json.ts';

/**
 * Whether the body is not readable text: it was binary, or in an encoding that nobody declared. `text` is the body after decoding as
 * Windows-1252 or UTF-8.
 */
const examinedChars = 4_000;
const minChars = 8;
const minShare = 0.02;
/** A page in a wrong charset still has its tags. */
const minShareOfMarkup = 0.2;
const tag = /<(?:!doctype|html|head|body|div|p|title|meta|script)(?:\s[^<>\p{Cc}\ufffd]{0,200})?>/iu;

/** A single word as long as a page, such as Base64. */
const encoded = /^\s{0,100}[^\s<>]{60,}\s{0,100}$/u;

/** The first characters of compressed bodies, images, documents, archives and fonts. */
const signatures: readonly string[] = [
  '\u001f\u008b', // gzip
  '\u001f\u2039',
  '\u001f\ufffd',
  '\u0028\u00b5\u002f\u00fd', // Zstandard
  '\u0028\ufffd\u002f\ufffd',
  '\u0089PNG',
  '\u2030PNG',
  '\ufffdPNG',
  'GIF87a',
  'GIF89a',
  '\u00ff\u00d8\u00ff', // JPEG
  '%PDF-',
  'PK\u0003\u0004', // ZIP
  'wOFF',
  'wOF2',
];

/** Blanks, printable ASCII and all characters beyond it, except the replacement character of bytes that no encoding has. */
const isUsual = /^[\s\u0020-\u007e\u0080-\ufffc\ufffe\uffff]*$/;

/** Whether the code is a control character that no page has. */
function isControl(code: number): boolean {
  if (code === 0x7f) return true;
  const isBlank = code >= 0x09 && code <= 0x0d;
  // The escape character begins the sequences of ISO-2022-JP.
  return code < 0x20 && !isBlank && code !== 0x1b;
}

/** A document for machines that was sent as a page. */
const machineXml =
  /^\ufeff?\s{0,100}(?:<\?xml[^>]{0,200}\?>\s{0,100})<(?:rss|feed|urlset|sitemapindex|rdf|response|soap)\b/i;
const maxJsonChars = 500_000;
export function isForMachines(text: string): boolean {
  if (machineXml.test(text)) return true;
  return /^\s{0,100}[{[]/.test(text) && text.length <= maxJsonChars && typeof parsedJson(text) === 'object';
}

export function isUnreadable(text: string): boolean {
  if (signatures.some((signature) => text.startsWith(signature))) return true;
  const start = text.slice(0, examinedChars);
  if (start.length < minChars) return false;
  if (isUsual.test(start)) return encoded.test(start);
  let controls = 0;
  // The number of replacement characters. They stand for bytes that are in no encoding.
  let replaced = 0;
  for (let at = 0; at < start.length; at++) {
    const code = start.charCodeAt(at);
    if (code === 0xfffd) replaced++;
    else if (isControl(code)) controls++;
  }
  if (controls + replaced === 0) return encoded.test(start);
  if (controls / start.length >= minShare) return true;
  return (controls + replaced) / start.length >= (tag.test(start) ? minShareOfMarkup : minShare);
}
