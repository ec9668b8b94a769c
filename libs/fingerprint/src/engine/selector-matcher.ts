import { _compileUnsafe } from 'css-select';
import type { AnyNode, Element } from 'domhandler';

export type ElementMatcher = (element: Element) => boolean;

/** `link[href*="a.js"]` and `html[data-shop]`: the form of most selectors. The case of the values of these attributes counts. */
const oneAttribute =
  /^([a-z][a-z0-9]*)\[(href|src|action|id|class|content|data-[a-z-]+)(?:\*=(?:"([^"\\]+)"|'([^'\\]+)'))?\]$/;

/** A selector, ready to be matched. Elements are not checked for being elements. */
export function matcherOf(selector: string): ElementMatcher {
  const [, tag, attribute = '', double, single] = oneAttribute.exec(selector) ?? [];
  if (tag === undefined) return _compileUnsafe<AnyNode, Element>(selector, { cacheResults: false });
  const part = double ?? single ?? '';
  return ({ name, attribs }) => name === tag && attribs[attribute]?.includes(part) === true;
}
