import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';

/**
 * Guesses the character set of a page that declares none, from the texts between its tags.
 *
 * - A guess is unsure when the page has little text, when another charset fits as well, or when the text has what no text has.
 * - Bounds: the first {@link maxBytes} of the page, and {@link maxTextBytes} of texts with other characters than ASCII.
 */
const maxBytes = 200_000;
const maxTextBytes = 16_384;
/** Of 100, as chardet counts. Texts of known languages reach it in several sentences. */
const leastConfidence = 35;
/** How much less the next charset must have. Charsets with the same letters at the same places are no rivals. */
const leastLead = 10;

/** Fewer characters than these are in every charset. */
const leastForeign = 8;
/** One of so many characters may be an error of the page. */
const oddShare = 100;

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
  const isAhead = best.confidence >= leastConfidence && best.confidence - (next?.confidence ?? 0) >= leastLead;
  return { label: best.name, isSure: isAhead && isReadable(sample, best.name) && !hasTwin(sample, best.name) };
}

/** Undefined: the label is unknown. */
export function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label.trim());
  } catch {
    return undefined;
  }
}

const decoded = (sample: Uint8Array, label: string): string | undefined => decoderFor(label)?.decode(sample);

/** No text has control characters, or signs such as ¹ and ╔ between two letters. */
const odd = /[\p{Cc}\ufffd]|(?<=\p{L})[\p{S}\p{No}](?=\p{L})/gu;

function isReadable(sample: Uint8Array, label: string): boolean {
  const text = decoded(sample, label)?.replaceAll(/[\t\n\r\f]/g, ' ') ?? '';
  const foreign = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return foreign >= leastForeign && (text.match(odd)?.length ?? 0) * oddShare <= foreign;
}

/** Charsets of the same languages, which the statistics of letters hardly tell apart. */
const twins: Readonly<Record<string, string>> = {
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'ISO-8859-2',
  'KOI8-R': 'KOI8-U',
};

/** Whether the text can be read as another text of a charset of the same languages. */
function hasTwin(sample: Uint8Array, label: string): boolean {
  const twin = twins[label];
  if (twin === undefined || decoded(sample, label) === decoded(sample, twin)) return false;
  return isReadable(sample, twin);
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
