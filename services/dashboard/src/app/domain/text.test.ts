import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../libs/text/test/hostile-text.ts';
import { isTypedName, parseEmail, parseName, parseWorkspaceName, personName } from './text.ts';

describe('personName', () => {
  it('the name that an issuer gives a person has no control characters, is never empty and has at most 100 characters', () => {
    expect(personName('  Ann\u0000\n  Bee\t', 'ann@example.com')).toBe('Ann Bee');
    for (const empty of ['', ' ', '\u0007', '\u3164\u200b']) expect(personName(empty, 'ann@example.com')).toBe('ann');
    expect(personName('x'.repeat(5_000), 'ann@example.com')).toHaveLength(100);
    expect(personName('Ann\u202e Bee\u2066', 'ann@example.com')).toBe('Ann Bee');
    expect(personName('محمد', 'ann@example.com')).toBe('محمد');
  });

  it('the name that an issuer gives a person is not an address of somebody else', () => {
    expect(personName('admin@acme.example', 'ann@example.com')).toBe('ann');
    expect(personName('See https://evil.example', 'ann@example.com')).toBe('ann');
    expect(personName('\u200b', '\u3164@example.com')).toBe('Unnamed');
  });

  it('the form of the account accepts the name of a person, whatever the issuer states', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const name = personName(text, 'ann@example.com');
        expect(parseName('name', name)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('texts of forms', () => {
  it('a text is refused at its field when the audit log or the keys service would refuse it', () => {
    const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    expect(parseEmail('email', address(200))).toHaveLength(200);
    expect(() => parseEmail('email', address(201))).toThrow('email: The address can have at most 200 characters.');
    expect(parseWorkspaceName('name', 'n'.repeat(200))).toHaveLength(200);
    expect(() => parseWorkspaceName('name', 'n'.repeat(201))).toThrow('at most 200 characters');
  });
});

it('a name can be typed as the page shows it, with single spaces', () => {
  expect(isTypedName(' Ann Bee ', 'Ann  \u2003Bee')).toBe(true);
  expect(isTypedName('\u2068محمد\u2069', 'محمد')).toBe(true);
  expect(isTypedName('AnnBee', 'Ann Bee')).toBe(false);
  expect(isTypedName('ann bee', 'Ann Bee')).toBe(false);
});
