import { describe, expect, it } from 'vitest';
import { lookAtPage } from '../index.ts';

const url = 'https://shop.example/a/';
const of = (html: string) => lookAtPage({ url, status: 200, headers: {}, html }).failure;
const refresh = (content: string) => of(`<meta http-equiv="refresh" content="${content}">`);

describe('refresh', () => {
  it.each([
    ['0;url=/de/', '/de/'],
    ['0 url=/de/', '/de/'],
    ['0,url=/de/', '/de/'],
    ['0;/de/', '/de/'],
    ['0 /de/', '/de/'],
    ['.5; URL = /de/', '/de/'],
    ["0;url='/de/' x", '/de/'],
    ["0;url='/de/", '/de/'],
    ['0;url=&quot;/de/&quot;', '/de/'],
    ['0;url=url=/de/', '/a/url=/de/'],
    ['0;url=//www.shop.example/de/', 'https://www.shop.example/de/'],
  ])('a refresh leads to its address, as the HTML standard reads it: %s', (content, target) => {
    expect(refresh(content)).toMatchObject({ code: 'redirect_page', leadsTo: new URL(target, url).href });
  });

  it.each(['0', '5;', '0;url=', '0.5 ', '0; url=#top'])(
    'a refresh without an address loads the page again: %s',
    (content) => {
      expect(refresh(content)).toMatchObject({ code: 'challenged', leadsTo: url });
    },
  );

  it.each(['url=/de/', ';url=/de/', 'soon;url=/de/', '0x;url=/de/', '600;url=/de/'])(
    'a refresh that no browser follows soon leads nowhere: %s',
    (content) => {
      expect(refresh(content)).toMatchObject({ code: 'empty_page' });
    },
  );
});

describe('base address of a page', () => {
  it.each([
    ['https://www.shop.example/x/', 'https://www.shop.example/x/de'],
    ['/en/', 'https://shop.example/en/de'],
    ['http://[', 'https://shop.example/a/de'],
  ])('the base address of a page is that of its redirects: %s', (base, leadsTo) => {
    const redirects = ['<meta http-equiv="refresh" content="0;url=de">', '<script>location.href = "de"</script>'];
    for (const html of redirects)
      expect(of(`<base target="_top"><base href="${base}">${html}`)).toMatchObject({ leadsTo });
  });

  it('a base address of another domain leads nowhere', () => {
    const failure = of('<base href="https://other.example/"><meta http-equiv="refresh" content="0;url=de">');
    expect(failure).toMatchObject({ code: 'redirect_page' });
    expect(failure).not.toHaveProperty('leadsTo');
  });
});
