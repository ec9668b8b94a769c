import { describe, expect, it } from 'vitest';
import { parseText } from './parse-text.ts';

const given = (text: string, rules = {}) => parseText('name', text, { noun: 'name', maxLength: 100, ...rules });

describe('a name that a person types', () => {
  it.each([
    ['Latin letters', 'Ann Bee-Çelik'],
    ['Arabic letters', 'محمد العلي'],
    ['Hebrew letters with points', 'שָׁלוֹם בֵּן'],
    ['Persian with non-joiners', 'کتاب\u200cها می\u200cخواهم'],
    ['Hindi and a conjunct with a joiner', 'क्\u200dष'],
    ['Bengali with a joiner before the mark', 'র\u200d্যাব'],
    ['Malayalam that ends with a joiner', 'കണ്ണന്\u200d'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['Burmese', 'လျှို့ဝှက်'],
    ['Tibetan', 'བསྒྲུབས'],
    ['Thai', 'น้ำทิพย์ ที่'],
    ['Vietnamese', 'Nguyễn Thị Hường'],
    ['Japanese with a variant of a character', '辻\u{e0100}さん'],
    ['full-width letters', 'ＡＣＭＥ　株式会社'.replace('\u3000', ' ')],
    ['Mongolian with a selector', 'ᠮᠣᠩᠭ᠋ᠣᠯ'],
    ['a family as one emoji', 'Team \u{1f469}\u{1f3fd}\u200d\u{1f469}\u200d\u{1f466}'],
    ['emoji with a selector', 'I \u2764\ufe0f tea'],
    ['a key cap', '1\ufe0f\u20e3'],
    ['a company that is called like a domain', 'Booking.com'],
    ['an account of social media', 'Ann (@ann)'],
  ])('a name that a person types is accepted as it is: %s', (_, text) => {
    expect(given(text)).toBe(text.normalize('NFC'));
  });

  it.each([
    ['a no-break space', 'Ann\u00a0Bee'],
    ['an ideographic space', 'Ann\u3000Bee'],
    ['a narrow space and a thin one', 'Ann\u202f\u2009Bee'],
    ['blanks around it', '  \tAnn Bee\n'],
  ])('a name that a person types has single spaces: %s', (_, text) => {
    expect(given(text)).toBe('Ann Bee');
  });

  it('a name that a person types is in NFC, so that one name has one spelling', () => {
    expect(given('Zoe\u0308')).toBe('Zo\u00eb');
  });

  it.each([
    ['a right-to-left override', 'Ann\u202egnp', 'U+202E'],
    ['each embedding', 'a\u202ab', 'U+202A'],
    ['each isolate', 'a\u2066b', 'U+2066'],
    ['the end of an isolate', 'a\u2069b', 'U+2069'],
    ['a left-to-right mark', 'a\u200eb', 'U+200E'],
    ['a right-to-left mark beside Hebrew', 'של\u200f', 'U+200F'],
    ['the mark of Arabic', 'a\u061cb', 'U+061C'],
    ['a zero-width space', 'ad\u200bmin', 'U+200B'],
    ['a joiner between Latin letters', 'ad\u200dmin', 'U+200D'],
    ['a non-joiner between Latin letters', 'ad\u200cmin', 'U+200C'],
    ['two non-joiners in Persian', 'می\u200c\u200cخواهم', 'U+200C'],
    ['a non-joiner at the end', 'می\u200c', 'U+200C'],
    ['a word joiner', 'ad\u2060min', 'U+2060'],
    ['a soft hyphen', 'ad\u00admin', 'U+00AD'],
    ['a byte order mark', 'y\ufeffadmin', 'U+FEFF'],
    ['a filler of Hangul', 'Ann \u3164', 'U+3164'],
    ['a half-width filler', 'Ann\uffa0', 'U+FFA0'],
    ['a choseong filler', 'Ann\u115f', 'U+115F'],
    ['a jungseong filler', 'Ann\u1160', 'U+1160'],
    ['a blank of Braille', '\u2800', 'U+2800'],
    ['a blank hieroglyph', 'Ann\u{13441}', 'U+13441'],
    ['a tag character', 'Ann\u{e0061}', 'U+E0061'],
    ['a flag of tags', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', 'U+E0067'],
    ['a selector after a Latin letter', 'a\ufe0f', 'U+FE0F'],
    ['a second selector', '\u2764\ufe0f\ufe0f', 'U+FE0F'],
    ['a run of selectors', '葛\u{e0100}\u{e0101}', 'U+E0101'],
    ['a combining grapheme joiner', 'a\u034fb', 'U+034F'],
    ['a character for private use', 'Ann\ue000', 'U+E000'],
    ['half of a character', 'Ann\ud83d', 'U+D83D'],
    ['a damaged character', 'Ann\ufffd', 'U+FFFD'],
    ['no character', 'Ann\ufdd0', 'U+FDD0'],
    ['a NUL', 'Ann\0', 'U+0000'],
    ['an escape', 'Ann\u001b[31m', 'U+001B'],
    ['a control of eight bits', 'Ann\u009b31m', 'U+009B'],
    ['a tab', 'Ann\tBee', 'U+0009'],
    ['a line break', 'Ann\nBee', 'U+000A'],
    ['a line separator', 'Ann\u2028Bee', 'U+2028'],
  ])('a name that a person types is refused at its field with the name of the character: %s', (_, text, code) => {
    expect(() => given(text)).toThrow(expect.objectContaining({ code: 'invalid_request', details: { field: 'name' } }));
    expect(() => given(text)).toThrow(`(${code})`);
  });

  it.each([
    ['five accents at one letter', 'q\u0300\u0301\u0302\u0303\u0304'],
    ['one accent twice', 'q\u0301\u0301'],
    ['a vowel of Thai again and again', 'ก็็็็'],
    ['an accent in the first place', '\u0301nn'],
  ])('a name that a person types is refused with stacked accents: %s', (_, text) => {
    expect(() => given(text)).toThrow('accents');
  });

  it.each(['', ' ', '\u00a0\u3000', '\n\t'])(
    'a name that a person types is refused when nothing is left of it: %j',
    (text) => {
      expect(() => given(text)).toThrow('name: Enter a name.');
      expect(given(text, { mayBeEmpty: true })).toBe('');
    },
  );

  it('a name that a person types is counted in code points after normalisation', () => {
    expect(given('e\u0301'.repeat(100))).toHaveLength(100);
    expect(given('\u{1f600}'.repeat(100))).toHaveLength(200);
    for (const long of ['e\u0301'.repeat(101), '\u{1f600}'.repeat(101), 'x'.repeat(1_000_000)]) {
      expect(() => given(long)).toThrow('name: The name can have at most 100 characters.');
    }
  });

  it.each([
    'Visit https://evil.example now',
    'ｈｔｔｐ：／／evil.example',
    'www.evil.example',
    'Boss (www.evil.example)',
    'admin@acme.example',
    'Root <root@acme.example>',
    'admin＠acme.example',
  ])('a name that a person types is refused with a web or e-mail address: %s', (text) => {
    expect(() => given(text)).toThrow('name: The name cannot contain a web or e-mail address.');
    expect(given(text, { mayHaveAddresses: true })).toBe(text);
  });
});
