import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../test/hostile-text.ts';
import { escaped, escapedJson, escapedLines } from './escaped.ts';
import { isolated } from './isolated.ts';

const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\ufeff\ud800-\udfff]/u;

describe('text for the terminal of an operator', () => {
  it('text for the terminal of an operator shows what could control the terminal', () => {
    expect(escaped('key\u001b[2K\u009b1A\u202eadmin\r\n')).toBe('key\\u{1b}[2K\\u{9b}1A\\u{202e}admin\\u{d}\\u{a}');
    expect(escapedLines('two\nlines\u202e')).toBe('two\nlines\\u{202e}');
    expect(escaped('محمد می\u200cخواهم 東京')).toBe('محمد می\u200cخواهم 東京');
  });

  it('text for the terminal of an operator has no control character, line separator, mark of direction and half character', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escaped(text)).not.toMatch(controls);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a JSON document for a terminal', () => {
  it('a JSON document for a terminal has the same content, and none of these characters in its text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const json = JSON.stringify({ [text]: [text] });
        expect(escapedJson(json)).not.toMatch(controls);
        expect(JSON.parse(escapedJson(json))).toEqual(JSON.parse(json));
      }),
      { numRuns: 2_000 },
    );
  });

  it('a JSON document for a terminal keeps its line breaks', () => {
    const json = JSON.stringify({ name: 'a\u{e0061}\u202e' }, null, 2);
    expect(escapedJson(json)).toBe('{\n  "name": "a\\udb40\\udc61\\u202e"\n}');
  });
});

it('letters from right to left are isolated, and other text stays as it is', () => {
  expect(isolated('שלום')).toBe('\u2068שלום\u2069');
  expect(isolated('Acme (محمد)')).toBe('\u2068Acme (محمد)\u2069');
  expect(isolated('Acmé 東京')).toBe('Acmé 東京');
});
