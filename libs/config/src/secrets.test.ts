import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isRepetitive } from './repetitive.ts';
import { publicWord, secretRule } from './secrets.ts';

const random = () => randomBytes(32).toString('hex');

describe('rule of a secret', () => {
  const rule = secretRule('SECRET');

  it.each([
    ['has the word of public secrets, in any case', `${random()}-${publicWord.toUpperCase()}`, 'is public'],
    ['is short', random().slice(0, 31), 'must have at least 32 characters in production'],
    ['repeats itself', random().slice(0, 12).repeat(3), 'repeats itself'],
  ])('the rule of a secret refuses one that %s, in one sentence without the secret', (_, SECRET, problem) => {
    expect(rule({ SECRET })).toEqual([expect.stringContaining(`SECRET: ${problem}`)]);
    expect(rule({ SECRET }).join()).not.toContain(SECRET);
  });

  it('the rule of a secret applies to production, which is the default, and to a setting that is given', () => {
    for (const environment of [{}, { SHOPSCOPE_ENV: '' }, { SHOPSCOPE_ENV: 'production' }]) {
      expect(rule({ SECRET: 'short', ...environment })).toHaveLength(1);
    }
    for (const SHOPSCOPE_ENV of ['development', 'test']) expect(rule({ SECRET: 'short', SHOPSCOPE_ENV })).toEqual([]);
    expect(rule({})).toEqual([]);
  });

  it('the rule of a secret names the entry of a setting with several secrets, and counts their own length', () => {
    const several = secretRule('SECRETS', { secretsOf: (text) => text.split(','), lengthMin: 16 });
    // 24 characters, because one in ninety texts of 16 hexadecimal digits has fewer than eight different digits and is repetitive.
    const shorter = randomBytes(18).toString('base64url');
    expect(several({ SECRETS: [random(), 'x1y2z3w4', shorter].join() })).toEqual([
      'SECRETS: entry 2 must have at least 16 characters in production',
    ]);
  });
});

describe('repetitive text', () => {
  it.each([
    'a'.repeat(40),
    'abcabcabcabcabcabcabcabcabcabcabcabc',
    'AbCaBcAbCaBcAbCaBcAbCaBcAbCaBcAbCaBc',
    'sample-cursor-secret-sample-cursor-secret',
    'x7Kq-x7Kq-x7Kq-x7Kq-x7Kq-x7Kq-x7Kq-x7Kq',
    '0123456789012345678901234567890123456789',
    '0123456789abcdefghijklmnopqrstuvwxyz',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'aabbccddeeffgghhiijjkkllmmnnoopp',
    '000102030405060708090a0b0c0d0e0f10111213',
    'pepper-of-the-environment-0123456789',
    `${'0'.repeat(31)}1`,
  ])('a repetitive text is recognised: %s', (text) => {
    expect(isRepetitive(text)).toBe(true);
  });

  it('a random text in any usual form is not repetitive', () => {
    for (let n = 0; n < 2_000; n++) {
      const made = [random(), randomBytes(16).toString('hex'), randomBytes(32).toString('base64'), randomUUID()];
      expect(made.filter(isRepetitive)).toEqual([]);
    }
  });
});
