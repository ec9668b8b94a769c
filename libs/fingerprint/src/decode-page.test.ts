import { describe, expect, it } from 'vitest';
import { decodeBody, decodePage } from './decode-page.ts';
import { observeStore } from './observe-store.ts';

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
    ['ISO-2022-JP by its shifts', latin('\u001b$B%F\u001b(B'), 'text/html', 'テ'],
    [
      'UTF-8 that is cut within a letter',
      new TextEncoder().encode('Größe wählen, für schöne Möbel, täglich öffnen, größer, später ß').subarray(0, -1),
      undefined,
      'Größe wählen, für schöne Möbel, täglich öffnen, größer, später \ufffd',
    ],
    ['UTF-8 with an escape that is not a shift', new TextEncoder().encode('é \u001b$B'), undefined, 'é \u001b$B'],
    [
      'UTF-8 when the header says UTF-16 of a page without zero bytes',
      new TextEncoder().encode('<p>é'),
      'text/html; charset=utf-16',
      '<p>é',
    ],
    ['UTF-16 without a mark by the header', Buffer.from('<p>é', 'utf16le'), 'text/html; charset=utf-16', '<p>é'],
    [
      'a meta tag that is not a comment',
      latin('<!-- <meta charset=utf-8> --><meta charset=windows-1251>\xcf'),
      undefined,
      '<!-- <meta charset=utf-8> --><meta charset=windows-1251>П',
    ],
    [
      'a meta tag far below',
      latin(`${' '.repeat(20_000)}<meta charset=windows-1251>\xcf`),
      undefined,
      `${' '.repeat(20_000)}<meta charset=windows-1251>П`,
    ],
    ['nothing', new Uint8Array(), undefined, ''],
  ])('decodePage decodes a page by %s', (_, bytes, contentType, text) => {
    expect(decodePage(bytes, contentType)).toBe(text);
  });

  /** The texts in a charset of one byte per letter, or as bytes in hexadecimal. */
  const undeclared = (title: string, bytes: Uint8Array): Uint8Array =>
    Buffer.concat([
      latin(`<html><head><title>${title}</title><link rel="stylesheet" href="/a.css"></head><body><p>`),
      bytes,
      latin('</p></body></html>'),
    ]);
  const shop = {
    russian: Buffer.from(
      'cae0f2e0ebeee320f2eee2e0f0eee220e820e1fbf1f2f0e0ff20e4eef1f2e0e2eae020efee20e2f1e5e920d0eef1f1e8e82e20c4eee1e0e2e8f2fc20e220eaeef0e7e8edf32e',
      'hex',
    ),
    japanese: Buffer.from(
      '89c68bef82c68fc696be82cc8349839383898343839383568387836283762083 4a815b836782c993fc82ea82e9'.replaceAll(' ', ''),
      'hex',
    ),
    polish: latin(
      'Sklep internetowy z meblami i o\xb6wietleniem. Dostawa w ci\xb1gu dw\xf3ch dni, p\xb3atno\xb6\xe6 przy odbiorze. Najnowsze ksi\xb1\xbfki.',
    ),
    german: latin(
      'Gr\xf6\xdfe w\xe4hlen und in den Warenkorb legen. M\xf6bel und K\xfcchenger\xe4te, R\xfcckgabe m\xf6glich. \xd6ffnungszeiten t\xe4glich.',
    ),
  };
  it.each([
    ['Windows-1251', shop.russian, 'Каталог товаров и быстрая доставка по всей России. Добавить в корзину.'],
    ['Shift_JIS', shop.japanese, '家具と照明のオンラインショップ カートに入れる'],
    ['ISO-8859-2', shop.polish, 'oświetleniem. Dostawa w ciągu dwóch dni, płatność'],
    ['Windows-1252', shop.german, 'Größe wählen und in den Warenkorb legen.'],
  ])('decodePage guesses %s when a page declares nothing', (_, bytes, text) => {
    const decoded = decodeBody(undeclared('Shop', bytes), 'text/html');
    expect(decoded.isSure).toBe(true);
    expect(decoded.text).toContain(text);
  });

  it('decodePage is unsure of a page with one letter, and then its name is its domain', () => {
    const bytes = latin(
      '<meta property="og:site_name" content="Caf\xe9 Noir"><title>Caf\xe9 Noir</title><h1>Caf\xe9 Noir</h1>',
    );
    const { text: html, isSure } = decodeBody(bytes, 'text/html');
    expect(isSure).toBe(false);
    const page = { url: 'https://www.noir.fr/', status: 200, headers: {}, html };
    expect(observeStore({ ...page, isTextUnsure: true })).toMatchObject({ name: 'noir.fr', nameBasis: 'domain' });
    expect(observeStore(page)).toMatchObject({ name: 'Café Noir', nameBasis: 'declared' });
  });

  it.each([
    ['a word in GBK, read as Greek', Buffer.from('bcdbb8f1d3c5', 'hex')],
    ['Czech in windows-1250, read as Western', latin('P\xf8idat \xe8erstv\xe9')],
    ['Polish, whose letters differ in two charsets', latin('ksi\xb9\xbfki w ci\xb9gu dni '.repeat(8))],
    [
      'Thai, read as Hebrew',
      latin('\xc3\xe9\xd2\xb9\xa2\xd2\xc2\xe0\xbf\xcd\xc3\xec\xb9\xd4\xe0\xa8\xcd\xc3\xec '.repeat(3)),
    ],
    [
      'Ukrainian in KOI8-U, read as KOI8-R',
      Buffer.from(
        'fbd7c9c4cbc120c4cfd3d4c1d7cbc120d0cf20d7d3a6ca20f5cbd2c1a7cea62e20e4cfc4c1d4c920c4cf20cbcfdbc9cbc12e'.repeat(
          3,
        ),
        'hex',
      ),
    ],
  ])('decodePage is unsure of %s', (_, bytes) => {
    expect(decodeBody(undeclared('Shop', bytes), 'text/html').isSure).toBe(false);
  });

  it('a name with an unreadable letter is not used', () => {
    const html = decodePage(
      latin('<meta property="og:site_name" content="Caf\xe9 Noir"><h1>Tea</h1>'),
      'text/html; charset=utf-8',
    );
    const page = { url: 'https://www.noir.fr/', status: 200, headers: {}, html };
    expect(observeStore(page)).toMatchObject({ name: 'noir.fr', nameBasis: 'domain' });
  });

  it('decodePage reads the declarations of hostile bytes in linear time', () => {
    for (const part of ['<!--', '<meta ', '<!-- -->', '<meta charset='])
      expect(decodePage(latin(part.repeat(1_000_000 / part.length)), undefined)).toContain(part);
  });

  it('decodePage is sure of what a page states, and of valid UTF-8', () => {
    expect(decodeBody(latin('caf\xe9'), 'text/html; charset=iso-8859-1').isSure).toBe(true);
    expect(decodeBody(new TextEncoder().encode('café'), undefined).isSure).toBe(true);
  });

  it('decodePage never throws for any bytes and labels', () => {
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
