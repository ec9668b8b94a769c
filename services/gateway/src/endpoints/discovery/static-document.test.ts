import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildOpenapi } from '../../contract/openapi.ts';
import { operations } from '../endpoints.ts';
import { staticDocument } from './static-document.ts';

const openapi = buildOpenapi(operations);
const large = staticDocument(openapi);
const small = staticDocument({ name: 'small' });
const get = (document: typeof large, headers: Record<string, string> = {}) => document(headers);
const accepting = (encodings: string) => get(large, { 'accept-encoding': encodings });

describe('large public documents', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('a large document is sent with %s on request, in a fifth of its size or less', (encoding, decompress) => {
    const { headers, body = Buffer.alloc(0) } = accepting(encoding);
    expect(headers).toMatchObject({ 'Content-Encoding': encoding, Vary: 'Accept-Encoding' });
    expect(JSON.parse(decompress(body).toString())).toEqual(openapi);
    expect(body.length).toBeLessThan((get(large).body?.length ?? 0) / 5);
  });

  it('a large public document is compressed once: each response has the same buffer', () => {
    expect(accepting('gzip').body).toBe(accepting('gzip').body);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['*;q=0', undefined],
    ['BR', 'br'],
    ['gzip;q=0.000', undefined],
    ['deflate', undefined],
    ['identity, gzip;q=0.1', undefined],
    ['', undefined],
    ['gzip;q=x', undefined],
  ])('a large public document for Accept-Encoding "%s" has the encoding %s', (sent, encoding) => {
    expect(accepting(sent).headers['Content-Encoding']).toBe(encoding);
    expect(accepting(sent).headers.Vary).toBe('Accept-Encoding');
  });

  it('a large public document has an entity tag per encoding, and answers each of them with 304', () => {
    const tags = ['', 'gzip', 'br'].map((encoding) => accepting(encoding).headers.ETag as string);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const reply = get(large, { 'if-none-match': `"other", W/${tag}`, 'accept-encoding': 'gzip' });
      expect([reply.status, reply.body]).toEqual([304, undefined]);
      expect(reply.headers).toMatchObject({
        ETag: tag,
        'Cache-Control': 'public, max-age=300',
        Vary: 'Accept-Encoding',
      });
    }
    expect(get(large, { 'if-none-match': '"other"' }).status).toBe(200);
  });

  it('a large public document has the same entity tags on every instance, and others when it has changed', () => {
    expect(get(staticDocument(buildOpenapi(operations))).headers.ETag).toBe(get(large).headers.ETag);
    expect(get(staticDocument({ ...openapi, more: 1 })).headers.ETag).not.toBe(get(large).headers.ETag);
  });
});

it('a small public document has an entity tag and is never compressed', () => {
  const { headers, body } = get(small, { 'accept-encoding': 'gzip' });
  expect(body?.toString()).toBe('{"name":"small"}');
  expect([headers['Content-Encoding'], headers.Vary]).toEqual([undefined, undefined]);
  expect(get(small, { 'if-none-match': headers.ETag as string }).status).toBe(304);
});
