import { Transform } from 'node:stream';

/**
 * Passes on each line as one chunk, and drops lines above `maxBytes`, the line break included.
 *
 * - Bounds: memory for one line of `maxBytes`.
 * - A line becomes longer -> `onDropped` is called once, and reading continues after its end.
 * - The stream ends within a line -> this line is dropped.
 */
export function dropLongLines(maxBytes: number, onDropped: () => void): Transform {
  let line: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let rest = chunk; rest.length > 0; ) {
        const lineBreak = rest.indexOf('\n');
        const part = lineBreak === -1 ? rest : rest.subarray(0, lineBreak + 1);
        rest = rest.subarray(part.length);
        const wasWithin = size <= maxBytes;
        size += part.length;
        if (size <= maxBytes) line.push(part);
        else if (wasWithin) {
          line = [];
          onDropped();
        }
        if (lineBreak === -1) break;
        if (size <= maxBytes) this.push(Buffer.concat(line));
        line = [];
        size = 0;
      }
      done();
    },
  });
}
