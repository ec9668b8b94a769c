import { describe, expect, it } from 'vitest';
import { loaded, page, script } from '../../test/support/pages.ts';
import { observeStore } from '../index.ts';
import { excerptOf, maxPageChars } from './excerpt.ts';

const slugs = (html: string) => observeStore({ ...page({}), html }).technologies.map(({ slug }) => slug);
const klaviyo = loaded('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=AbC123');
const gtm = loaded('https://www.googletagmanager.com/gtm.js?id=GTM-ABC123');
const start = '<!doctype html><html lang="en"><head><title>Teapots</title></head><body>';
const filled = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length));

describe('page above the limit', () => {
  it('a page above the limit of characters is examined at its beginning and its end, and no page of usual size is cut', () => {
    const middle = filled('<p>Teapot</p>', 3_000_000);
    const found = slugs(
      `${start}${gtm}${middle}${loaded('https://static.hotjar.com/c/hotjar-1.js?sv=6')}${middle}${klaviyo}</body></html>`,
    );
    expect(found).toEqual(expect.arrayContaining(['google-tag-manager', 'klaviyo']));
    expect(found).not.toContain('hotjar');
    const usual = `${start}${filled('x', maxPageChars - start.length)}`;
    expect(excerptOf(usual)).toBe(usual);
  });

  it('the excerpt of a page has at most the limit of characters, whatever the page contains', () => {
    for (const part of ['<p>a</p>', '<', '<script>', '<!--', 'a', '</script>', '<textarea><style>', '-->'])
      expect(excerptOf(filled(part, 8_000_000)).length).toBeLessThanOrEqual(maxPageChars);
  });

  it.each([
    ['a script', '<script>var a = "', '";</script>'],
    ['a style sheet', '<style>.a::before { content: "', '"; }</style>'],
    ['a comment', '<!-- ', ' -->'],
    ['a text field', '<textarea>', '</textarea>'],
    ['the value of an attribute', '<p title="', '">'],
  ])(
    'a page above the limit of characters shows its end also where the beginning or the end is cut within %s',
    (_, opening, closing) => {
      const inside = `${opening}${filled('teapot ', 2_500_000)}${closing}`;
      const found = slugs(`${start}${gtm}${inside}${klaviyo}</body></html>`);
      expect(found).toEqual(expect.arrayContaining(['google-tag-manager', 'klaviyo']));
    },
  );

  it('a page above the limit of characters shows nothing that a script of its cut part only quotes', () => {
    const quoted = script(
      `var a = '${filled('teapot ', 2_200_000)}${klaviyo.replace('</', '<\\/')}${filled('teapot ', 300_000)}';`,
    );
    expect(slugs(`${start}${gtm}${quoted}<p>Teapots</p></body></html>`)).not.toContain('klaviyo');
  });

  it('a page above the limit of characters shows its end after a script that writes a style sheet or a comment and has ended', () => {
    const writing = script('a.innerHTML = "<style>" + b; c.innerHTML = "<!--";');
    const found = slugs(`${start}${writing}${filled('<p>Teapot</p>', 3_000_000)}${klaviyo}</body></html>`);
    expect(found).toContain('klaviyo');
  });

  it('a page above the limit of characters shows its scripts behind more elements than are kept', () => {
    const found = slugs(`${start}${filled('<i>', 3 * 45_000)}${klaviyo}</body></html>`);
    expect(found).toContain('klaviyo');
  });
});
