import { describe, expect, it } from 'vitest';
import { LiteralScanner } from './aho-corasick.ts';

const hitsOf = (literals: string[], text: string): string[] => {
  const hits: string[] = [];
  new LiteralScanner(literals).scan(text, (literal, end) => hits.push(`${literals[literal]}@${end}`));
  return hits.sort();
};

function naive(literals: string[], text: string): string[] {
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const hits: string[] = [];
  for (const literal of literals) {
    for (let at = folded.indexOf(literal); at !== -1; at = folded.indexOf(literal, at + 1))
      hits.push(`${literal}@${at + literal.length}`);
  }
  return hits.sort();
}

describe('LiteralScanner', () => {
  it('LiteralScanner finds literals inside of other literals and after failed prefixes', () => {
    expect(hitsOf(['he', 'she', 'his', 'hers'], 'ushers')).toEqual(['he@4', 'hers@6', 'she@4']);
  });

  it('LiteralScanner ignores ASCII case and no other case', () => {
    expect(hitsOf(['shop'], 'ShOp SHOP şhop')).toEqual(['shop@4', 'shop@9']);
  });

  it('LiteralScanner distinguishes characters with the same low byte', () => {
    expect(hitsOf(['kleid', 'źka'], 'ŵleid ūleid kleid ż źka żka |ka')).toEqual(['kleid@17', 'źka@23']);
  });

  it('LiteralScanner distinguishes literals that differ only in digits or signs', () => {
    expect(hitsOf(['v1', 'v2', 'a/b', 'a_b', 'x1'], 'v2 v3 A_B a-b xx1')).toEqual(['a_b@9', 'v2@2', 'x1@17']);
  });

  it('LiteralScanner finds the same hits as a search for each literal, on adversarial texts', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const word = (length: number) => Array.from({ length }, () => 'aAbB.é'[random(6)]).join('');
    for (let round = 0; round < 200; round++) {
      const literals = [
        ...new Set(
          Array.from({ length: 8 }, () =>
            word(1 + random(5))
              .toLowerCase()
              .replaceAll('é', 'b'),
          ),
        ),
      ];
      const text = word(300);
      expect(hitsOf(literals, text)).toEqual(naive(literals, text));
    }
  });

  it('LiteralScanner finds the same hits in long texts, whose parts are scanned at the same time', () => {
    const literals = ['add-to-cart', 'cart', 'to', 'a-very-long-literal-of-many-characters', 'x'];
    const parts = ['add-to-', 'cart', 'ca', 'rt x', 'a-very-long-', 'literal-of-many-characters', 'ŵ', '<p>'];
    let seed = 3;
    for (const length of [100, 700, 3000, 20_000]) {
      let text = '';
      while (text.length < length) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        text += parts[Math.floor((seed / 2147483648) * parts.length)];
      }
      expect(hitsOf(literals, text)).toEqual(naive(literals, text));
    }
  });

  it('LiteralScanner reports hits in the order of their ends, the longest first', () => {
    const ends: number[] = [];
    const lengths: number[] = [];
    const literals = ['ab', 'b', 'cab'];
    new LiteralScanner(literals).scan('cab.'.repeat(5000), (literal, end) => {
      ends.push(end);
      lengths.push(literals[literal]?.length ?? 0);
    });
    expect(ends).toEqual([...ends].sort((one, other) => one - other));
    expect(lengths.slice(0, 3)).toEqual([3, 2, 1]);
    expect(ends.length).toBe(15_000);
  });

  it('LiteralScanner scans megabytes of repetitive text in one pass', () => {
    let hits = 0;
    new LiteralScanner(['aaaaaaaaab', 'ab']).scan('a'.repeat(2_000_000), () => hits++);
    expect(hits).toBe(0);
  });
});
