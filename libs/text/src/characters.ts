/**
 * Characters that one line of text must not have, because a reader does not see them or sees other text differently because of them:
 * controls, format characters, directional marks, line separators, blank letters, private use, lone surrogates, and U+FFFD, which replaces
 * a damaged character. Joiners and variation selectors are accepted where the script of a language needs them.
 */
const unsafe =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\ufffc\\ufffd\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}]';

const scripts = (names: string) => names.replace(/\w+/g, '\\p{scx=$&}').replaceAll(' ', '');
/** Scripts whose letters join. A non-joiner separates them. */
const cursive = scripts('Arab Syrc Mong Nkoo Mand Adlm Rohg');
/** Scripts whose consonants form conjuncts. A joiner changes their form. */
const conjunct = scripts('Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Bali Java');
/** Marks that suppress the vowel of a consonant. A joiner may end a word only behind such a mark. */
const viramas =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0d3b\\u0d3c\\u0dca\\u0f84\\u1039\\u103a\\u17d2\\u1b44\\ua9c0';
const letterOf = (script: string) => ({
  before: `(?<=[${script}])(?<=[\\p{L}\\p{M}])`,
  behind: `(?=[${script}])(?=[\\p{L}\\p{M}])`,
});
const [ofCursive, ofConjunct] = [letterOf(cursive), letterOf(conjunct)];
const pictograph = '\\p{Extended_Pictographic}';

const needed = [
  `${ofCursive.before}\\u200c${ofCursive.behind}`,
  `${ofConjunct.before}[\\u200c\\u200d]${ofConjunct.behind}`,
  `(?<=[${viramas}])\\u200d`,
  // Emoji: sequences of a family or a profession, the coloured form, and the key caps.
  `(?<=${pictograph}(?:\\ufe0f|\\p{Emoji_Modifier})?)\\u200d(?=${pictograph})`,
  `(?<=${pictograph})[\\ufe0e\\ufe0f]`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of Han characters are part of Japanese family names. Mongolian letters have variants, too.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})(?<=\\p{L})[\\u180b-\\u180d\\u180f]',
  '(?<=\\p{Script=Mongolian})(?<=\\p{L})\\u180e(?=\\p{Script=Mongolian})(?=\\p{L})',
].join('|');

const candidates = new RegExp(unsafe, 'gu');
const neededHere = new RegExp(needed, 'uy');

/** Whether a language needs the character. It is tested only at candidates, because most texts have none. */
function isNeeded(text: string, at: number): boolean {
  neededHere.lastIndex = at;
  return neededHere.test(text);
}

/** Returns the first character that the text must not have. */
export function findUnsafe(text: string): string | undefined {
  for (const { 0: character, index } of text.matchAll(candidates)) if (!isNeeded(text, index)) return character;
  return undefined;
}

/** Replaces every character that the text must not have. */
export function replaceUnsafe(text: string, replacement: (character: string) => string): string {
  return text.replace(candidates, (character, at: number) => (isNeeded(text, at) ? character : replacement(character)));
}

/** Replaces the same characters in a text of any number of lines, even where the script of a language needs them. */
export const replaceAllUnsafe = (text: string, replacement: (character: string) => string): string =>
  text.replace(everyUnsafe, replacement);
const everyUnsafe = new RegExp(`(?![\\0-\\u001f])${unsafe}`, 'gu');

/** Returns the code point's name, for example U+202E. */
export const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * More nonspacing marks in a row than a written language has (Unicode Technical Standard 39, 5.4): more than four, or the same one twice.
 * They would cover other lines.
 */
export const stackedMarks = /[\p{Mn}\p{Me}]{5}|([\p{Mn}\p{Me}])\1/u;

export function withoutStackedMarks(text: string): string {
  return text.replace(/([\p{Mn}\p{Me}])\1+/gu, '$1').replace(/([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu, '$1');
}

/** Spaces of any width and kind, which look like an ordinary space. */
export const spaces = /\p{Zs}+/gu;
/** Marks at the start of a text, which would change the character before the text. */
export const leadingMarks = /^\p{M}+/u;

/** Returns the length of a text, which is its number of Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
