import { _compileUnsafe } from 'css-select';
import type { AnyNode, Element } from 'domhandler';

export type ElementMatcher = (element: Element) => boolean;

/** `link[href*="a.js"]` and `html[data-shop]`: the form of most selectors. The case of the values of these attributes counts. */
const oneAttribute =
  /^([a-z][a-z0-9]*)?\[(href|src|action|id|class|name|property|content|data-[a-z-]+)(?:([*^$]?)=(?:"([^"\\]+)"|'([^'\\]+)'))?\]$/;

/** A selector, ready to be matched. Elements are not checked for being elements. */
export function matcherOf(selector: string): ElementMatcher {
  const found = oneAttribute.exec(selector);
  if (!found) return _compileUnsafe<AnyNode, Element>(selector, { cacheResults: false });
  const [, tag, attribute = '', sign, double, single] = found;
  const value = double ?? single ?? '';
  const has = (name: string) => tag === undefined || name === tag;
  if (sign === '') return ({ name, attribs }) => has(name) && attribs[attribute] === value;
  if (sign === '^') return ({ name, attribs }) => has(name) && attribs[attribute]?.startsWith(value) === true;
  if (sign === '$') return ({ name, attribs }) => has(name) && attribs[attribute]?.endsWith(value) === true;
  // Without a value every text has the empty part.
  return ({ name, attribs }) => has(name) && attribs[attribute]?.includes(value) === true;
}
