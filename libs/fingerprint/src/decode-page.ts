import { TextDecoder } from 'node:util';

/**
 * Decodes the bytes of a page to text.
 *
 * - Order, as in browsers: byte order mark, `charset` of the content type, `<meta>` in the first bytes, UTF-8 if valid,
 *   windows-1252.
 * - Unknown label -> the next source.
 * - Invalid sequence -> U+FFFD. Never throws.
 */
const prescanBytes = 4096;

function decoderFor(label: string | undefined, fatal = false): TextDecoder | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label.trim(), { fatal });
  } catch {
    return undefined;
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

const charsetIn = (text: string): string | undefined =>
  /charset\s{0,8}=\s{0,8}["']?\s{0,8}([\w.:-]{2,40})/i.exec(text)?.[1];

function metaEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, prescanBytes));
  for (const tag of head.match(/<(?:meta|\?xml)\b[^>]{0,512}>/gi) ?? []) {
    const label = charsetIn(tag) ?? /encoding=["']([\w.:-]{2,40})/i.exec(tag)?.[1];
    // A `<meta>` that is readable as ASCII cannot be in a UTF-16 page, whatever its charset states.
    if (label) return /^utf-?16/i.test(label) ? 'utf-8' : label;
  }
  return undefined;
}

/** `contentType`: the response header as received. */
export function decodePage(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = decoderFor(markedEncoding(bytes));
  if (marked) return marked.decode(bytes);
  const declared = decoderFor(charsetIn(contentType?.slice(0, 512) ?? '')) ?? decoderFor(metaEncoding(bytes));
  if (declared) return declared.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
