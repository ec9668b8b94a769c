import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFaultOffset, lineAndColumn } from './json-fault.ts';

const thrownBy = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the position of a JSON fault', () => {
  it.each([
    ['hello', 0],
    ['\ufeff{}', 0],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{"a":tru}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a":[1}', 7],
    ['{"a" "b"}', 5],
    ['{"a":{"b":[{},[],"x\\"y",-1.5e3,null]}} x', 39],
    ['1,2', 1],
    [']', 0],
    ['{"a":', 5],
    ['  ', 2],
  ])('of %s is %i', (text, offset) => {
    expect(jsonFaultOffset(text)).toBe(offset);
  });

  it('is where the shortest prefix ends that the parser refuses for an unexpected token', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-2.5', 'null', ' ', '\n', 'x', '"\\n"');
    let faults = 0;
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), (parts) => {
        const text = parts.join('');
        if (!thrownBy(text).startsWith('Unexpected token')) return;
        faults++;
        let end = 1;
        while (!thrownBy(text.slice(0, end)).startsWith('Unexpected token')) end++;
        // A word that is cut or spoilt begins before the character that spoils it.
        const offset = jsonFaultOffset(text);
        expect(offset).toBeLessThan(end);
        expect(text.slice(offset, end - 1)).toMatch(/^[a-z]*$/);
      }),
      { numRuns: 3_000 },
    );
    expect(faults).toBeGreaterThan(500);
  });

  it('is found in the largest body, nested or one long string', () => {
    expect(jsonFaultOffset(`${'['.repeat(262_143)}x`)).toBe(262_143);
    const long = `["${'x'.repeat(262_100)}",`;
    expect(jsonFaultOffset(`${long}]`)).toBe(long.length);
    expect(jsonFaultOffset(`"${'x'.repeat(262_143)}`)).toBe(0);
  });

  it('is told as line and column from 1', () => {
    expect(lineAndColumn('x', 0)).toBe('line 1, column 1');
    expect(lineAndColumn('{\n\n  x', 5)).toBe('line 3, column 3');
    expect(lineAndColumn('{\n\n', 1)).toBe('line 1, column 2');
  });
});
