import { describe, expect, it } from 'vitest';
import { givenEmail, givenWorkspaceName, isTypedName, personName } from './text.ts';

describe('the name of a person that an issuer tells', () => {
  it('has no control characters, is never empty and has at most 100 characters', () => {
    expect(personName('  Ann\u0000\n  Bee\t', 'ann@example.com')).toBe('Ann Bee');
    for (const empty of ['', ' ', '\u0007']) expect(personName(empty, 'ann@example.com')).toBe('ann');
    expect(personName('x'.repeat(5_000), 'ann@example.com')).toHaveLength(100);
  });
});

describe('texts of forms', () => {
  it('are refused at their field when the audit log or the keys service would refuse them', () => {
    const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    expect(givenEmail('email', address(200))).toHaveLength(200);
    expect(() => givenEmail('email', address(201))).toThrow('email: The address can have at most 200 characters.');
    expect(givenWorkspaceName('name', 'n'.repeat(200))).toHaveLength(200);
    expect(() => givenWorkspaceName('name', 'n'.repeat(201))).toThrow('at most 200 characters');
  });
});

it('a name can be typed as the page shows it, with single spaces', () => {
  expect(isTypedName(' Ann Bee ', 'Ann  \u2003Bee')).toBe(true);
  expect(isTypedName('AnnBee', 'Ann Bee')).toBe(false);
  expect(isTypedName('ann bee', 'Ann Bee')).toBe(false);
});
