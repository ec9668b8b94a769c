import type { Subject } from '../page/document.ts';
import { wordSet } from '../words.ts';

/** The requirements of one alternative of a CSS selector list: a word in the markup, and its subject. */
export interface SelectorPlan {
  selector: string;
  /** A lower-case word that the markup must contain. Empty if none is known. */
  literal: string;
  subject: Subject;
}

/** Splits at commas that are outside of brackets and quotes. */
export function alternatives(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let i = 0; i < list.length; i++) {
    const symbol = list[i] ?? '';
    if (quote) {
      if (symbol === quote) quote = '';
    } else if (symbol === '"' || symbol === "'") quote = symbol;
    else if (symbol === '[' || symbol === '(') depth++;
    else if (symbol === ']' || symbol === ')') depth--;
    else if (symbol === ',' && depth === 0) {
      parts.push(list.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(list.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const commonTags = wordSet('a body div form head html iframe img input link meta script span style');

/** A selector requires no word of the parts that it excludes. */
const exclusion = /:not\((?:[^()]|\([^()]*\))*\)/g;

function wordsOf(selector: string): string[] {
  const words: string[] = [];
  const bare = selector
    .replace(exclusion, '')
    .replace(
      /\[\s*([\w:-]+)\s*(?:[~|^$*]?=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+)))?[^\]]*\]/g,
      (_, name: string, double?: string, single?: string, plain?: string) => {
        words.push(name, double ?? single ?? plain ?? '');
        return ' ';
      },
    );
  for (const [, word] of bare.matchAll(/[.#]([\w-]+)/g)) words.push(word ?? '');
  for (const [, tag] of bare.matchAll(/(?:^|[\s>+~])([a-z][\w-]*)/gi)) if (tag && !commonTags.has(tag)) words.push(tag);
  return words;
}

function subjectOf(selector: string): SelectorPlan['subject'] {
  const bare = selector.replace(/\[[^\]]*\]/g, (attribute) => attribute.replace(/[\s>+~.#]/g, '_'));
  const last = bare.split(/[\s>+~]+/).at(-1) ?? '';
  const id = /#([\w-]+)/.exec(last.replace(/\[[^\]]*\]/g, ''))?.[1];
  const className = /\.([\w-]+)/.exec(last.replace(/\[[^\]]*\]/g, ''))?.[1];
  const tag = /^([a-z][\w-]*)/i.exec(last)?.[1]?.toLowerCase();
  return { ...(id && { id }), ...(className && { className }), ...(tag && { tag }) };
}

/** The plans of all alternatives of a selector list. */
export function planSelector(list: string): SelectorPlan[] {
  return alternatives(list).map((selector) => ({
    selector,
    literal: wordsOf(selector)
      .filter((word) => /^[\x20-\x7e]{3,}$/.test(word))
      .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
      .toLowerCase(),
    subject: subjectOf(selector),
  }));
}
