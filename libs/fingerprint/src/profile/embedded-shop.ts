import { compile, is } from 'css-select';
import type { Element } from 'domhandler';
import embeddedShops from '../data/embedded-shops.rules.json' with { type: 'json' };
import type { PageEvidence } from '../page/evidence.ts';
import { isInString } from '../page/script-text.ts';

interface Reader {
  matches: ((element: Element) => boolean) | undefined;
  code: readonly RegExp[];
}

const readers = new Map(
  embeddedShops.map(({ technology, elements, code = [] }): [string, Reader] => [
    technology,
    { matches: elements && matcherOf(elements), code: code.map((form) => new RegExp(form)) },
  ]),
);

function matcherOf(elements: readonly string[]): (element: Element) => boolean {
  const compiled = compile(elements.join(', '), { cacheResults: false });
  return (element) => is(element, compiled);
}

/** Whether the page embeds a shop. `isDetected` returns whether the page has a technology. Without such a technology, nothing is read. */
export function embedsShop(
  { document, inline, inlineStrings }: PageEvidence,
  isDetected: (slug: string) => boolean,
): boolean {
  for (const [technology, { matches, code }] of readers) {
    if (!isDetected(technology)) continue;
    if (matches && document.elements.some(matches)) return true;
    if (code.map((form) => form.exec(inline)).some((match) => match && !isInString(inlineStrings, match.index)))
      return true;
  }
  return false;
}
