import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dropLongLines } from './drop-long-lines.ts';

test('input lines up to the limit arrive unchanged and longer ones are reported, however they are cut into chunks', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 12 })),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      async (lengths, cuts) => {
        const lines = lengths.map((length, n) => `${String.fromCharCode(97 + (n % 26)).repeat(length)}\n`);
        let dropped = 0;
        const stream = dropLongLines(8, () => (dropped += 1));
        const received = text(stream);
        let rest = lines.join('');
        for (let n = 0; rest !== ''; n++) {
          const size = cuts[n % cuts.length] as number;
          stream.write(rest.slice(0, size));
          rest = rest.slice(size);
        }
        stream.end();
        const fitting = lines.filter(({ length }) => length <= 8);
        expect(await received).toBe(fitting.join(''));
        expect(dropped).toBe(lines.length - fitting.length);
      },
    ),
  ));
