import type { Element } from 'domhandler';
import { describe, expect, it } from 'vitest';
import { parseDocument, scriptText, textOf } from './document.ts';

describe('character references of a page', () => {
  it('are decoded in texts, titles and attributes', () => {
    const page = parseDocument(
      '<title>Tea &amp; Co</title><a href="/?a=1&amp;b=2" title="M&uuml;ller">K&#228;se &euro;</a>',
    );
    expect(textOf(page.root, 100)).toBe('Tea & Co Käse €');
    expect(page.byTag('a')[0]?.attribs).toEqual({ href: '/?a=1&b=2', title: 'Müller' });
  });

  it('stay as they are in scripts', () => {
    const page = parseDocument('<script>if (a &amp;&amp; b) x("&lt;")</script>');
    expect(scriptText(page.byTag('script')[0] as Element)).toBe('if (a &amp;&amp; b) x("&lt;")');
  });
});

describe('tags of a page', () => {
  it('without an end are no elements, and missing start tags are added', () => {
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

it('an element without content does not end a page with many open tags', () => {
  const page = parseDocument(`${'<b>'.repeat(1000)}<br><a href="/x">t</a>`);
  expect(page.byTag('a')).toHaveLength(1);
});
