import { isObject, parsedJson } from '../json.ts';
/** An object with a type in a JSON-LD block, unchanged. */
export interface JsonLdNode {
  types: string[];
  value: Record<string, unknown>;
}

const maxBlocks = 50;
const maxBlockChars = 500_000;
const maxNodes = 2000;
const maxDepth = 12;

/** Parses JSON with common defects: comments or CDATA around it, raw line breaks, trailing commas. */
function parseLoosely(block: string): unknown {
  const text = block
    .slice(0, maxBlockChars)
    .trim()
    .replace(/^(?:<!--|\/\*<!\[CDATA\[\*\/|\/\/<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\]\]>\*\/|\/\/\]\]>|\]\]>)$/, '');
  for (const attempt of [
    text,
    text.replace(/\p{Cc}/gu, ' '),
    text
      .replace(/\p{Cc}/gu, ' ')
      .replace(/,(\s{0,20})([}\]])/g, '$1$2')
      .replace(/;$/, ''),
  ]) {
    // Each attempt repairs more defects.
    const value = parsedJson(attempt);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function typesOf(value: Record<string, unknown>): string[] {
  const types = value['@type'];
  return (Array.isArray(types) ? types : [types])
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.replace(/^https?:\/\/schema\.org\//, ''));
}

/** Returns all typed objects of the blocks, including nested ones, in document order. Number and depth are bounded. */
export function readJsonLd(blocks: readonly string[]): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth || nodes.length >= maxNodes) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxNodes)) visit(item, depth + 1);
    } else if (isObject(value)) {
      const types = typesOf(value);
      if (types.length > 0) nodes.push({ types, value });
      for (const member of Object.values(value)) if (typeof member === 'object') visit(member, depth + 1);
    }
  };
  for (const block of blocks.slice(0, maxBlocks)) visit(parseLoosely(block), 0);
  return nodes;
}

/** Returns the first text of a member: a string, a number, or the first element of a list of them. */
export function textMember(value: Record<string, unknown>, name: string): string | undefined {
  const member = value[name];
  const first = Array.isArray(member) ? member[0] : member;
  if (typeof first === 'number') return String(first);
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}

/** Types of objects whose addresses and phone numbers do not belong to the store. */
export const foreignAddress = /^(?:Person|Event|JobPosting|Review|Product|Place|EventVenue|Offer)$/;
