import { expect, it } from 'vitest';
import { isolatedText, shownText } from './foreign-text.tsx';

it('a name of a foreign page cannot change the direction of other text, add lines or cover them', () => {
  expect(shownText('Shop\u202Egnp.exe')).toBe('Shopgnp.exe');
  expect(shownText('one\u0000\r\n\u2028two\t three ')).toBe('one two three');
  expect(shownText(`q${'\u0301\u0300'.repeat(50)}b`)).toBe('q\u0301\u0300\u0301\u0300b');
});

it('a name in another script stays as it is', () => {
  expect(shownText('متجر القهوة')).toBe('متجر القهوة');
  expect(shownText('กุ้งเผา 𠮷野家')).toBe('กุ้งเผา 𠮷野家');
});

it('a long name ends with an ellipsis at a whole character, also one of a million characters', () => {
  expect(shownText('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(10)}…`);
  expect(shownText('𠮷'.repeat(11), 10)).toBe(`${'𠮷'.repeat(10)}…`);
  expect(shownText('x'.repeat(10), 10)).toBe('x'.repeat(10));
});

it('a text from right to left does not change the order of a sentence', () => {
  expect(`${isolatedText('متجر القهوة')} (shop.example)`).toBe('\u2068متجر القهوة\u2069 (shop.example)');
});
