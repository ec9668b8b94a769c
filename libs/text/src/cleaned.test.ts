import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../test/hostile-text.ts';
import { cleaned } from './cleaned.ts';
import { cut, shortened } from './cut.ts';
import { parseText } from './parse-text.ts';

describe('cleaned', () => {
  it.each([
    ['Shop\u202egnp.exe', 'Shopgnp.exe'],
    ['one\0\r\n\u2028two\t three ', 'one two three'],
    ['A\u00a0\u3000B', 'A B'],
    ['\u3164\u2800\u200b', ''],
    ['\u0301\u0302x', 'x'],
    ['کتاب\u200cها', 'کتاب\u200cها'],
    ['ad\u200cmin', 'admin'],
    ['Cafe\u0301', 'Café'],
    ['Cafe\u200b\u0301', 'Café'],
    ['\ud83dHalf', 'Half'],
    [`a${'\u0300\u0301'.repeat(50)}`, 'à\u0301\u0300\u0301\u0300'],
  ])('the foreign text %j becomes %j when it is cleaned', (text, clean) => {
    expect(cleaned(text, 100)).toBe(clean);
  });

  it('a cleaned text is accepted as a typed text, has a bounded length, and stays the same when it is cleaned again', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, max) => {
        const clean = cleaned(text, max);
        expect([...clean].length).toBeLessThanOrEqual(max);
        expect(cleaned(clean, max)).toBe(clean);
        const rules = { noun: 'name', maxLength: max, mayBeEmpty: true, mayHaveAddresses: true };
        expect(parseText('name', clean, rules)).toBe(clean);
      }),
      { numRuns: 3_000 },
    );
  });

  it('cleaning keeps every text that a person may type', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const rules = { noun: 'name', maxLength: 1_000, mayBeEmpty: true, mayHaveAddresses: true };
        let typed: string;
        try {
          typed = parseText('name', text, rules);
        } catch {
          return;
        }
        expect(cleaned(text, 1_000)).toBe(typed);
      }),
      { numRuns: 3_000 },
    );
  });

  it('cleaning takes a bounded part of a text of any length', () => {
    expect(cleaned(`${'\u200b'.repeat(10_000_000)}x`, 10)).toBe('');
  });
});

describe('cut', () => {
  it('a text that is cut ends with a whole character', () => {
    const family = '\u{1f469}\u200d\u{1f469}\u200d\u{1f466}';
    expect(cut(`ab${family}`, 6)).toBe('ab');
    expect(cut(`ab${family}`, 7)).toBe(`ab${family}`);
    expect(cut('ab\u{1f600}', 2)).toBe('ab');
    expect(cut('cafe\u0301', 4)).toBe('caf');
    expect(cut(family, 2)).toBe('\u{1f469}\u200d');
    expect(shortened('abcdef', 4)).toBe('abc…');
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(shortened('ab \u{1f600}\u{1f600}', 4)).toBe('ab…');
  });

  it('a text that is cut is a beginning of the text that is never longer than the limit', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 20 }), (text, max) => {
        expect(text.startsWith(cut(text, max))).toBe(true);
        expect([...cut(text, max)].length).toBe(Math.min([...cut(text, max)].length, max));
        if ([...text].length <= max) expect(cut(text, max)).toBe(text);
      }),
    );
  });
});
