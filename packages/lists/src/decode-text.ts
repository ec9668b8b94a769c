import { isAscii, isUtf8 } from 'node:buffer';
import { ListError } from './list-error.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The first bytes of files that are not text, each with the name of the format and the remedy. */
const binaries: readonly (readonly [number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a workbook or an archive. Save the sheet as CSV.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old workbook (.xls). Save the sheet as CSV.'],
  [[0x1f, 0x8b], 'compressed (gzip). Unpack it.'],
  [[0xff, 0xfe, 0x00, 0x00], 'UTF-32. Save it as UTF-8.'],
  [[0x00, 0x00, 0xfe, 0xff], 'UTF-32. Save it as UTF-8.'],
];
const byteOrderMarks: readonly (readonly [number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
const longestMark = 4;

/**
 * Decodes bytes to text, in constant memory.
 *
 * - A byte order mark decides.
 * - Without one, the first character beyond ASCII decides between UTF-8 and Windows-1252, which Excel writes in Western
 *   Europe and America.
 * - Bytes that the encoding lacks -> throws ListError with the line. No character is ever replaced.
 *
 * Calls `decided` once, before the first text that depends on the encoding.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  decided: (encoding: Encoding) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new Decoder(decided);
  for await (const chunk of bytes) {
    const text = decoder.push(chunk);
    if (text !== '') yield text;
  }
  const text = decoder.end();
  if (text !== '') yield text;
}

class Decoder {
  readonly #decided: (encoding: Encoding) => void;
  #held: Buffer = Buffer.alloc(0);
  #isBegun = false;
  #encoding: Encoding | undefined;
  #decoder = new TextDecoder();
  #line = 1;
  #openWord = '';

  constructor(decided: (encoding: Encoding) => void) {
    this.#decided = decided;
  }

  push(chunk: Uint8Array): string {
    const bytes = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    if (!this.#isBegun && bytes.length < longestMark) {
      this.#held = bytes;
      return '';
    }
    return this.#read(bytes, false);
  }

  end(): string {
    return this.#read(this.#held, true);
  }

  #read(bytes: Buffer, isEnd: boolean): string {
    if (!this.#isBegun) this.#begin(bytes);
    if (this.#encoding) return this.#decode(bytes, isEnd);
    if (isAscii(bytes)) return this.#checked(bytes.toString('latin1'));
    const at = bytes.findIndex((byte) => byte > 0x7f);
    const ascii = this.#checked(bytes.subarray(0, at).toString('latin1'));
    const rest = bytes.subarray(at);
    const length = utf8Length(rest[0] as number);
    if (rest.length < length && !isEnd) {
      this.#held = rest;
      return ascii;
    }
    const character = rest.subarray(0, length);
    const isRead = rest.length >= length && isUtf8(character) && !westernPair.test(character.toString('latin1'));
    this.#decide(isRead ? 'utf-8' : 'windows-1252');
    return ascii + this.#decode(rest, isEnd);
  }

  #begin(bytes: Buffer): void {
    this.#isBegun = true;
    for (const [mark, what] of binaries) if (startsWith(bytes, mark)) throw new ListError(`The list is ${what}`);
    const found = byteOrderMarks.find(([mark]) => startsWith(bytes, mark));
    if (found) this.#decide(found[1]);
  }

  #decide(encoding: Encoding): void {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
    this.#decided(encoding);
  }

  #decode(bytes: Buffer, isEnd: boolean): string {
    let text: string;
    try {
      text = this.#decoder.decode(bytes, { stream: !isEnd });
    } catch (cause) {
      throw new ListError(
        `Line ${this.#line + linesBeforeFault(bytes, this.#encoding)} is not ${nameOf(this.#encoding)}, as the lines before it are. Save the list as UTF-8.`,
        'unreadable',
        { cause },
      );
    }
    if (this.#encoding === 'windows-1252') this.#refuseForeign(text);
    return this.#checked(text);
  }

  #refuseForeign(text: string): void {
    // A word may be cut between two chunks.
    const seen = this.#openWord + text;
    this.#openWord = /(?:[¡-ÿ]|ƒ.?){1,16}$/.exec(seen.slice(-16))?.[0] ?? '';
    const at = foreignAt(seen);
    if (at >= 0) {
      const line = this.#line + newlinesIn(seen.slice(0, at));
      throw new ListError(`Line ${line} is neither UTF-8 nor Windows-1252. Save the list as UTF-8.`);
    }
  }

  #checked(text: string): string {
    const at = text.indexOf('\0');
    if (at >= 0) {
      const line = this.#line + newlinesIn(text.slice(0, at));
      throw new ListError(
        `Line ${line} has a zero byte, so the list is not text, or UTF-16 without a byte order mark. Save it as UTF-8.`,
      );
    }
    this.#line += newlinesIn(text);
    return text;
  }
}

const startsWith = (bytes: Buffer, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);

const newlinesIn = (text: string) => text.split('\n').length - 1;

/**
 * É, Ö, Ü or ß before a sign of Windows-1252: … ‘ ’ “ ” – — ™ « ® ». The same bytes are characters of UTF-8 that no list of stores begins
 * with: phonetic letters, points of Hebrew, Syriac and N'Ko.
 */
const westernPair =
  /^(?:[\xc9\xdc\xdf][\x85\x91-\x94\x96\x97\x99\xab\xae\xbb]|\xd6[\x91-\x94\x96\x97\x99\xab\xae\xbb])$/;

/** The Encoding Standard maps the bytes that Windows-1252 lacks to control characters. */
const lacking = /[\x81\x8d\x8f\x90\x9d]/;
/** Text in UTF-8 whose bytes were read one by one, such as Ã¼. No language has these signs after Ã. */
const unreadUtf8 = /Ã[¡-ª¬¯-·¹º¼-¿]/;
/** Japanese syllables in Shift_JIS. Each begins with the byte of ƒ. */
const shiftJis = /ƒ.ƒ/;
const upperRun = /[¡-ÿ]{4,}/g;
/** Letters beyond ASCII that Western languages use together. */
const westernAlphabets = [
  'àâäçéèêëîïôöùûüÿß', // German and French
  'åäöæøéü', // Nordic languages
  'àáâãçèéêíïòóôõúüñ', // Spanish, Portuguese and Catalan
  'àèéìíîòóùú', // Italian
  'áæðéíóöøúýþ', // Icelandic and Faroese
];

/**
 * Returns the first offset at which the text cannot be Windows-1252, or -1. Words of Cyrillic, Greek or Chinese code
 * pages mix letters that no Western language mixes.
 */
function foreignAt(text: string): number {
  const at = [lacking, unreadUtf8, shiftJis].map((pattern) => text.search(pattern)).filter((index) => index >= 0);
  for (const { 0: run, index } of text.matchAll(upperRun)) {
    const letters = new Set(run.toLowerCase().match(/[à-öø-ÿß]/g));
    if (letters.size < 3 || westernAlphabets.some((alphabet) => [...letters].every((each) => alphabet.includes(each))))
      continue;
    at.push(index);
    break;
  }
  return at.length === 0 ? -1 : Math.min(...at);
}

/**
 * Returns the number of line breaks before the first byte that the encoding lacks. `bytes` may begin or end within a
 * character.
 */
function linesBeforeFault(bytes: Buffer, encoding: Encoding | undefined): number {
  if (encoding !== 'utf-8') return newlinesIn(new TextDecoder(encoding).decode(bytes).split('\uFFFD', 1)[0] as string);
  const begun = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  let lines = 0;
  for (let start = Math.max(0, begun); start < bytes.length; lines++) {
    const end = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, end < 0 ? undefined : end);
    if (!isUtf8(line)) return lines;
    start += line.length + 1;
  }
  // The character that is cut before these bytes is broken.
  return 0;
}

const nameOf = (encoding: Encoding | undefined) =>
  encoding === 'windows-1252' ? 'Windows-1252' : encoding?.toUpperCase();

/** Returns the number of bytes of the UTF-8 character that begins with `lead`, or 1 if no character begins with it. */
const utf8Length = (lead: number) =>
  lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
