import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody, lookAtPage } from '../index.ts';

const html = Buffer.from(
  `<!DOCTYPE html><html><head><title>Alpine</title></head><body>${Array.from(
    { length: 400 },
    (_, n) => `<a href="/p/${(n * 7919) % 1_000}">Item ${Math.sin(n)}</a>`,
  ).join('')}</body></html>`,
);
const digest = (n: number) => createHash('sha256').update(`${n}`).digest();
/** The same noise in each run. */
const noise = (length: number) =>
  Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, n) => digest(n))).subarray(0, length);
const utf16 = Buffer.from(html.toString(), 'utf16le');
const after = (bytes: readonly number[], length = 500) => Buffer.concat([Buffer.from(bytes), noise(length)]);
const codeOf = (bytes: Buffer, contentType?: string) => {
  const { text, isSure } = decodeBody(bytes, contentType);
  const page = { url: 'https://shop.example/', status: 200, headers: {}, html: text, isTextUnsure: !isSure };
  return lookAtPage(page).failure?.code;
};

describe('body that is not text', () => {
  const bodies: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync(html)],
    ['brotli', brotliCompressSync(html)],
    ['deflate', deflateSync(html)],
    ['raw deflate', deflateRawSync(html)],
    ['Zstandard', zstdCompressSync(html)],
    ['PNG', after([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
    ['JPEG', after([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46])],
    ['ZIP', after([0x50, 0x4b, 3, 4])],
    ['7z', after([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
    ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')],
    ['WebAssembly', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60])],
    ['noise', noise(10_000)],
    ['noise that has the start of a tag', Buffer.concat([noise(500), Buffer.from('<P\u0001<div,'), noise(5_000)])],
    ['UTF-16 without a mark', utf16],
    ['big-endian UTF-16 without a mark', Buffer.from(utf16).swap16()],
    ['gzip in Base64', Buffer.from(gzipSync(html).toString('base64'))],
  ];
  it.each(bodies)('a body that is not text is undecodable, whatever charset it declares: %s', (_, bytes) => {
    for (const charset of ['', '; charset=utf-8', '; charset=iso-8859-1', '; charset=shift_jis'])
      expect(codeOf(bytes, `text/html${charset}`), charset).toBe('undecodable');
  });

  it('a body with a byte order mark is read by the mark, and is empty when nothing follows', () => {
    expect(codeOf(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))).toBeUndefined();
    expect(codeOf(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]))).toBeUndefined();
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
      [0xef, 0xbb, 0xbf],
    ])
      expect(codeOf(Buffer.from(mark))).toBe('empty_page');
  });

  it('a page with a few bytes that are in no encoding is read as text', () => {
    expect(
      codeOf(Buffer.concat([html, Buffer.from([0, 1, 0xff, 0xfe, 0x80])]), 'text/html; charset=utf-8'),
    ).toBeUndefined();
  });
});
