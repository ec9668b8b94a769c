import { describe, expect, it } from 'vitest';
import { decodePage } from './decode-page.ts';

const latin = (text: string) => Uint8Array.from(text, (symbol) => symbol.charCodeAt(0));

describe('decodePage', () => {
  it.each([
    ['a byte order mark before all', Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'text/html; charset=iso-8859-1', 'é'],
    ['UTF-16 by its mark', Uint8Array.of(0xff, 0xfe, 0xe9, 0x00), undefined, 'é'],
    ['the header', latin('caf\xe9'), 'text/html; charset="ISO-8859-1"', 'café'],
    [
      'the meta tag',
      latin('<meta charset=windows-1251>\xcf\xf0\xe8\xe2\xe5\xf2'),
      'text/html',
      '<meta charset=windows-1251>Привет',
    ],
    [
      'the old meta tag',
      latin('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">\xa4'),
      undefined,
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">€',
    ],
    ['Shift_JIS', Uint8Array.of(0x83, 0x65), 'text/html; charset=Shift_JIS', 'テ'],
    ['UTF-8 without a word', new TextEncoder().encode('Straße'), undefined, 'Straße'],
    ['windows-1252 when it is not UTF-8', latin('caf\xe9 \x80'), undefined, 'café €'],
    ['the next source after an unknown label', new TextEncoder().encode('é'), 'text/html; charset=klingon', 'é'],
    ['nothing', new Uint8Array(), undefined, ''],
  ])('decodes a page by %s', (_, bytes, contentType, text) => {
    expect(decodePage(bytes, contentType)).toBe(text);
  });

  it('never throws for any bytes and labels', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256);
    for (const label of [
      'utf-8',
      'utf-16le',
      'gb18030',
      'iso-2022-jp',
      'x-user-defined',
      '',
      'a'.repeat(100_000),
      'charset=charset=',
    ]) {
      expect(typeof decodePage(bytes, `text/html; charset=${label}`)).toBe('string');
    }
  });
});
