import { analyse } from 'chardet';

/**
 * Guesses the character set of a page that declares none, from the texts between its tags.
 *
 * - Bounds: the first {@link maxBytes} of the page, and {@link maxTextBytes} of texts with other characters than ASCII.
 */
const maxBytes = 200_000;
const maxTextBytes = 16_384;
/** Of 100, as chardet counts. Texts of known languages reach it in several sentences. */
const leastConfidence = 35;
/** How much less the next charset must have. Charsets with the same letters at the same places are no rivals. */
const leastLead = 10;

export interface GuessedCharset {
  label: string;
  isSure: boolean;
}

export function guessCharset(bytes: Uint8Array): GuessedCharset | undefined {
  const sample = textsOf(bytes.subarray(0, maxBytes));
  if (sample.length === 0) return undefined;
  const [best, ...others] = analyse(sample).filter(({ name }) => name !== 'ASCII' && name !== 'UTF-8');
  if (!best) return undefined;
  const next = others.find(({ name }) => familyOf(name) !== familyOf(best.name));
  const isSure = best.confidence >= leastConfidence && best.confidence - (next?.confidence ?? 0) >= leastLead;
  return { label: best.name, isSure };
}

/** For example ISO-8859-1 and windows-1252. The Encoding standard reads both as the latter. */
const families: Readonly<Record<string, string>> = { 'ISO-8859-1': 'windows-1252', 'ISO-8859-9': 'windows-1254' };
const familyOf = (name: string): string => families[name] ?? name;

const lessThan = 0x3c;
const greaterThan = 0x3e;

/** The texts between tags that have other bytes than ASCII, with spaces between them. */
function textsOf(bytes: Uint8Array): Uint8Array {
  const texts = new Uint8Array(maxTextBytes);
  let length = 0;
  let from = 0;
  let isForeign = false;
  for (let at = 0; at <= bytes.length && length < maxTextBytes; at++) {
    const byte = at < bytes.length ? (bytes[at] as number) : lessThan;
    if (byte >= 0x80) isForeign = true;
    if (byte !== lessThan && byte !== greaterThan) continue;
    if (byte === lessThan && isForeign) {
      const text = bytes.subarray(from, Math.min(at, from + maxTextBytes - length - 1));
      texts.set(text, length);
      length += text.length;
      texts[length++] = 0x20;
    }
    from = at + 1;
    isForeign = false;
  }
  return texts.subarray(0, length);
}
