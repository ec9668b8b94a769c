import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';

/**
 * Guesses the character set of a page that declares none, from the texts between its tags.
 *
 * - A guess is unsure if the page has little text, if another charset fits equally well, or if the text has characters that no text has.
 * - Bounds: the first {@link maxBytes} of the page, and {@link maxTextBytes} of texts with characters outside of ASCII.
 */
const maxBytes = 200_000;
const maxTextBytes = 16_384;
/** The maximum of chardet is 100. Texts of known languages reach this value after several sentences. */
const minConfidence = 35;
/** The minimum lead over the next charset. Charsets with the same letters at the same places are not rivals. */
const minLead = 10;

/** Fewer foreign characters than this fit into every charset. */
const minForeign = 8;
/** One in this many characters may be an error of the page. */
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
  const isAhead = best.confidence >= minConfidence && best.confidence - (next?.confidence ?? 0) >= minLead;
  return { label: best.name, isSure: isAhead && isReadable(sample, best.name) && !hasTwin(sample, best.name) };
}

/** Returns undefined if the label is unknown. */
export function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label.trim());
  } catch {
    return undefined;
  }
}

const decoded = (sample: Uint8Array, label: string): string | undefined => decoderFor(label)?.decode(sample);

/** Control characters, or signs such as ¹ and ╔ between two letters. No text has them. */
const odd = /[\p{Cc}\ufffd]|(?<=\p{L})[\p{S}\p{No}](?=\p{L})/gu;

function isReadable(sample: Uint8Array, label: string): boolean {
  const text = decoded(sample, label)?.replaceAll(/[\t\n\r\f]/g, ' ') ?? '';
  const foreign = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return foreign >= minForeign && (text.match(odd)?.length ?? 0) * oddShare <= foreign;
}

/** Pairs of charsets for the same languages. Letter statistics hardly separate them. */
const twins: Readonly<Record<string, string>> = {
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'ISO-8859-2',
  'KOI8-R': 'KOI8-U',
};

/** Whether the bytes are also readable, as another text, in a charset for the same languages. */
function hasTwin(sample: Uint8Array, label: string): boolean {
  const twin = twins[label];
  if (twin === undefined || decoded(sample, label) === decoded(sample, twin)) return false;
  return isReadable(sample, twin);
}

/** Charsets that the Encoding standard reads as another one. For example, it reads ISO-8859-1 as windows-1252. */
const families: Readonly<Record<string, string>> = { 'ISO-8859-1': 'windows-1252', 'ISO-8859-9': 'windows-1254' };
const familyOf = (name: string): string => families[name] ?? name;

const lessThan = 0x3c;
const greaterThan = 0x3e;

/** The texts between tags that have bytes outside of ASCII, separated by spaces. */
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
