import { _compileUnsafe } from 'css-select';
import type { AnyNode, Element } from 'domhandler';

export type ElementMatcher = (element: Element) => boolean;

/** `link[href*="a.js"]` and `html[data-shop]` have the form of most selectors. The values of these attributes are case-sensitive. */
const oneAttribute =
  /^([a-z][a-z0-9]*)?\[(href|src|action|id|class|name|property|content|data-[a-z-]+)(?:([*^$]?)=(?:"([^"\\]+)"|'([^'\\]+)'))?\]$/;

/** Compiles a selector to a matcher. The matcher does not check that a node is an element. */
export function matcherOf(selector: string): ElementMatcher {
  const found = oneAttribute.exec(selector);
  if (!found) return _compileUnsafe<AnyNode, Element>(selector, { cacheResults: false });
  const [, tag, attribute = '', sign, double, single] = found;
  const value = double ?? single ?? '';
  const has = (name: string) => tag === undefined || name === tag;
  if (sign === '') return ({ name, attribs }) => has(name) && attribs[attribute] === value;
  if (sign === '^') return ({ name, attribs }) => has(name) && attribs[attribute]?.startsWith(value) === true;
  if (sign === '$') return ({ name, attribs }) => has(name) && attribs[attribute]?.endsWith(value) === true;
  // Without a value, the attribute only has to exist, because every text includes the empty string.
  return ({ name, attribs }) => has(name) && attribs[attribute]?.includes(value) === true;
}
