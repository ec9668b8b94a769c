import type { Element } from 'domhandler';
import { describe, expect, it } from 'vitest';
import { maxOpenTags, parseDocument, scriptText, textOf } from './document.ts';

describe('character references of a page', () => {
  it('character references of a page are decoded in texts, titles and attributes', () => {
    const page = parseDocument(
      '<title>Tea &amp; Co</title><a href="/?a=1&amp;b=2" title="M&uuml;ller">K&#228;se &euro;</a>',
    );
    expect(textOf(page.root, 100)).toBe('Tea & Co Käse €');
    expect(page.byTag('a')[0]?.attribs).toEqual({ href: '/?a=1&b=2', title: 'Müller' });
  });

  it('character references of a page stay as they are in scripts', () => {
    const page = parseDocument('<script>if (a &amp;&amp; b) x("&lt;")</script>');
    expect(scriptText(page.byTag('script')[0] as Element)).toBe('if (a &amp;&amp; b) x("&lt;")');
  });
});

describe('tags of a page', () => {
  it('tags of a page without an end are not elements, and missing start tags are added', () => {
    const page = parseDocument('<b>a</p></br><br title="b" TITLE=c><form><form id=d><p>e<script src="f.js"');
    expect(page.elements.map(({ name, attribs }) => [name, attribs])).toEqual([
      ['b', {}],
      ['p', {}],
      ['br', {}],
      ['br', { title: 'b' }],
      ['form', {}],
      ['p', {}],
    ]);
  });
});

it.each(['<a', '<i a="1', '</b', '</q', '<b title="a>b'])(
  'a page that ends inside of %s shows no part of that tag as text',
  (end) => {
    expect(textOf(parseDocument(`<b>x${end}`).root, 100)).toBe('x');
  },
);

it('a page with too many open tags loses those tags, and the elements after them are read', () => {
  const page = parseDocument(
    `${'<b>'.repeat(maxOpenTags)}<i>a</i><u id="u" title="&amp;">t</u><!-- c --><script>s</script>`,
  );
  expect(page.byId('u')[0]?.parent).toBe(page.root);
  expect(page.byId('u')[0]?.attribs.title).toBe('&');
  expect(textOf(page.root, 2000)).toBe('a t');
  expect(page.comments).toBe('<!-- c -->');
  expect(page.markup).toBe(`${'<b>'.repeat(maxOpenTags)}<i>a</i><u id="u" title="&amp;">t</u><script></script>`);
});

it('an element without content does not end a page with many open tags', () => {
  const page = parseDocument(`${'<b>'.repeat(maxOpenTags)}<br><a href="/x">t</a>`);
  expect(page.byTag('a')).toHaveLength(1);
});
