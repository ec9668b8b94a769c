import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../test/hostile-text.ts';
import { quotedInMail } from './mail-text.ts';

describe('a text of a person in a mail', () => {
  it('the text of a person in a mail is in quotation marks that it cannot end', () => {
    expect(quotedInMail('Acme')).toBe('“Acme”');
    expect(quotedInMail('Ann” (boss@acme.example) “')).not.toMatch(/”.*”/);
    expect(quotedInMail('Ann "the boss" Bee')).toBe("“Ann 'the boss' Bee”");
  });

  it('a text of a person in a mail is in one line of at most 60 characters', () => {
    expect(quotedInMail(`Acme\n\nYour invoice: ${'x'.repeat(1_000)}`)).toMatch(/^“Acme Your invoice.{1,50}…”$/);
  });

  it.each(['Visit https://evil.example', 'Win at evil.example', 'mail evil@evil.example', 'Booking.com', 'a。example'])(
    'a text of a person in a mail has nothing that a mail program would make a link of: %s',
    (text) => {
      expect(quotedInMail(text)).not.toMatch(/[\p{L}\p{N}][.。@][\p{L}\p{N}]|:\/\//u);
      expect(quotedInMail(text).replaceAll('\u2060', '')).toBe(`“${text}”`);
    },
  );

  it('a text of a person in a mail isolates letters from right to left', () => {
    expect(quotedInMail('محمد')).toBe('“\u2068محمد\u2069”');
  });

  it('a text of a person in a mail has at most 60 characters, one line, and one pair of quotation marks, whatever the text is', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const quoted = quotedInMail(text);
        expect(quoted).toMatch(/^“[^“”]*”$/u);
        expect(quoted).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect([...quoted.replace(/[\u2060\u2068\u2069]/g, '')].length).toBeLessThanOrEqual(62);
        expect(quoted).not.toMatch(/[.:/@](?![\u2060 …”\u2069])/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
