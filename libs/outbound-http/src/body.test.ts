import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
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
    ['deflate', deflateRawSync(text)],
    ['identity, GZIP', gzipSync(text)],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['br, deflate, gzip', gzipSync(deflateRawSync(brotliCompressSync(text)))],
    ['gzip', Buffer.alloc(0)],
  ])('readBody decodes the content coding "%s"', async (encoding, bytes) => {
    const read = await readBody(streamOf(bytes), encoding, bounds);
    expect(read).toMatchObject({ ending: 'whole', wireBytes: bytes.length });
    expect(Buffer.from(read.body).equals(bytes.length === 0 ? bytes : text)).toBe(true);
  });

  it.each(['zstd', 'compress', 'utf-8', 'gzip, zstd', 'gzip,'.repeat(4), 'constructor', 'x'.repeat(10_000)])(
    'readBody reads a body in a content coding that is not known as it is: %s',
    async (encoding) => {
      const read = await readBody(streamOf(text), encoding, bounds);
      expect(read).toMatchObject({ ending: 'whole', wireBytes: text.length });
      expect(Buffer.from(read.body).equals(text)).toBe(true);
      const cut = await readBody(streamOf(text), encoding, { maxWireBytes: 1_000_000, maxBytes: 5_000 });
      expect([cut.ending, cut.body.length]).toEqual(['cut', 5_000]);
    },
  );

  it('readBody inflates a gzip bomb only up to the size limit, and does not read it to its end', async () => {
    const member = gzipSync(Buffer.alloc(10_000_000));
    const bomb = Buffer.concat(Array.from({ length: 40 }, () => member));
    const read = await readBody(streamOf(bomb), 'gzip', bounds);
    expect(read.ending).toBe('cut');
    expect(read.body.length).toBe(bounds.maxBytes);
    expect(read.wireBytes).toBeLessThan(bomb.length / 3);
  });

  it('readBody inflates a brotli bomb only up to the size limit', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(20_000_000));
    const read = await readBody(streamOf(bomb, 10), 'br', bounds);
    expect([read.ending, read.body.length]).toEqual(['cut', bounds.maxBytes]);
  });

  it('readBody stops at the limit of compressed bytes, and keeps the content so far', async () => {
    const read = await readBody(streamOf(text), '', { maxWireBytes: 5_000, maxBytes: 1_000_000 });
    expect(read).toMatchObject({ ending: 'cut' });
    expect(read.body.length).toBe(5_000);
  });

  it('readBody reads a body of exactly the limit as whole', async () => {
    const read = await readBody(streamOf(text), '', { maxWireBytes: text.length, maxBytes: text.length });
    expect([read.ending, read.body.length]).toEqual(['whole', text.length]);
  });

  it('readBody keeps the bytes that arrived before the stream failed', async () => {
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

  const long = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `<p>${Math.sin(i)}</p>`).join(''));
  it.each([
    ['gzip', gzipSync(long), 0.5],
    ['gzip', gzipSync(long), 0.99],
    ['deflate', deflateSync(long), 0.5],
    ['deflate', deflateRawSync(long), 0.5],
    ['br', brotliCompressSync(long), 0.5],
    ['br, gzip', gzipSync(brotliCompressSync(long).subarray(0, 10_000)), 1],
  ])(
    'readBody keeps the part of a body in %s that ends too early, and does not take it for the whole',
    async (coding, bytes, share) => {
      const read = await readBody(streamOf(bytes.subarray(0, bytes.length * share)), coding, bounds);
      expect(read).toMatchObject({ ending: 'broken', error: { code: 'invalid_response' } });
      expect(read.body.length).toBeGreaterThan(10_000);
      expect(long.subarray(0, read.body.length).equals(read.body)).toBe(true);
    },
  );

  it.each(['gzip', 'deflate', 'br', 'br, gzip'])(
    'readBody reports a body that is not in its content coding: %s',
    async (coding) => {
      const bytes = coding === 'br, gzip' ? gzipSync(text) : text;
      const read = await readBody(streamOf(bytes), coding, bounds);
      expect(read).toMatchObject({ ending: 'broken', error: { code: 'invalid_response' } });
    },
  );

  it('readBody stops a bomb within a bomb at the limit between its codings', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 500_000 }, () => empty)));
    const read = await readBody(streamOf(bomb), 'gzip, gzip', { ...bounds, maxWireBytes: 100_000 });
    expect(bomb.length).toBeLessThan(100_000);
    expect(read).toMatchObject({ ending: 'cut', body: { length: 0 } });
  });
});
