import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody } from './body.ts';

const bounds = { maxWireBytes: 1_000_000, maxBytes: 1_000_000 };
const streamOf = (bytes: Buffer, chunkBytes = 1_000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
  );

describe('readBody', () => {
  const text = Buffer.from('<p>hello</p>'.repeat(1_000));

  it.each([
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
  ])('decodes the content coding "%s"', async (encoding, bytes) => {
    const read = await readBody(streamOf(bytes), encoding, bounds);
    expect(read).toMatchObject({ ending: 'whole', wireBytes: bytes.length });
    expect(Buffer.from(read.body).equals(text)).toBe(true);
  });

  it.each(['zstd', 'compress', 'utf-8', 'gzip, br', 'x'.repeat(10_000)])(
    'reads a body in a content coding that is not known as it is: %s',
    async (encoding) => {
      const read = await readBody(streamOf(text), encoding, bounds);
      expect(read).toMatchObject({ ending: 'whole', wireBytes: text.length });
      expect(Buffer.from(read.body).equals(text)).toBe(true);
      const cut = await readBody(streamOf(text), encoding, { maxWireBytes: 1_000_000, maxBytes: 5_000 });
      expect([cut.ending, cut.body.length]).toEqual(['cut', 5_000]);
    },
  );

  it('inflates a gzip bomb only up to the size limit, and does not read it to its end', async () => {
    const member = gzipSync(Buffer.alloc(10_000_000));
    const bomb = Buffer.concat(Array.from({ length: 40 }, () => member));
    const read = await readBody(streamOf(bomb), 'gzip', bounds);
    expect(read.ending).toBe('cut');
    expect(read.body.length).toBe(bounds.maxBytes);
    expect(read.wireBytes).toBeLessThan(bomb.length / 3);
  });

  it('inflates a brotli bomb only up to the size limit', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(20_000_000));
    const read = await readBody(streamOf(bomb, 10), 'br', bounds);
    expect([read.ending, read.body.length]).toEqual(['cut', bounds.maxBytes]);
  });

  it('stops at the limit of compressed bytes, and keeps the content so far', async () => {
    const read = await readBody(streamOf(text), '', { maxWireBytes: 5_000, maxBytes: 1_000_000 });
    expect(read).toMatchObject({ ending: 'cut' });
    expect(read.body.length).toBe(5_000);
  });

  it('reads a body of exactly the limit as whole', async () => {
    const read = await readBody(streamOf(text), '', { maxWireBytes: text.length, maxBytes: text.length });
    expect([read.ending, read.body.length]).toEqual(['whole', text.length]);
  });

  it('keeps the bytes that arrived before the stream failed', async () => {
    const breaking = Readable.from(
      (function* () {
        yield Buffer.from('abc');
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      })(),
    );
    const read = await readBody(breaking, '', bounds);
    expect(read).toMatchObject({ ending: 'broken', error: { code: 'ECONNRESET' } });
    expect(Buffer.from(read.body).toString()).toBe('abc');
  });

  it('decodes the available part of a truncated gzip stream', async () => {
    const whole = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 251)));
    const read = await readBody(streamOf(whole.subarray(0, whole.length / 2)), 'gzip', bounds);
    expect(read.body.length).toBeGreaterThan(100);
  });
});
