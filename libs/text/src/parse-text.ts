import { invalidField } from '@shopscope/errors';
import { findUnsafe, leadingMarks, lengthOf, nameOf, spaces, stackedMarks } from './characters.ts';

export interface TextRules {
  /** In sentences to the person who typed the text, for example "name". */
  noun: string;
  /** In Unicode code points, after normalisation. */
  maxLength: number;
  mayBeEmpty?: boolean;
  /** Accept web and e-mail addresses. Texts that stand in mails must not have any. */
  mayHaveAddresses?: boolean;
}

/**
 * A text of one line that a person typed, in NFC, trimmed, with single spaces. Throws `invalid_request` at the field for every
 * text that other people could read as something else, and names the character: a person can only mend what the message names.
 */
export function parseText(field: string, typed: string, rules: TextRules): string {
  const { noun, maxLength, mayBeEmpty = false, mayHaveAddresses = false } = rules;
  const text = typed.normalize('NFC').replace(spaces, ' ').trim();
  const refuse = (problem: string) => invalidField(field, problem);
  const unsafe = findUnsafe(text);
  if (unsafe !== undefined) throw refuse(unsafeProblem(noun, unsafe));
  if (text === '' && !mayBeEmpty) throw refuse(`Enter a ${noun}.`);
  // Before anything that takes longer for a longer text.
  if (text.length > maxLength && lengthOf(text) > maxLength) {
    throw refuse(`The ${noun} can have at most ${maxLength} characters.`);
  }
  if (stackedMarks.test(text) || leadingMarks.test(text)) {
    throw refuse(`The ${noun} has more accents at one letter than a language needs. Remove some.`);
  }
  if (!mayHaveAddresses && hasAddress(text)) throw refuse(`The ${noun} cannot contain a web or e-mail address.`);
  return text;
}

function unsafeProblem(noun: string, character: string): string {
  const name = nameOf(character);
  if (lineBreaks.test(character)) return `The ${noun} must be in one line. Remove the line break (${name}).`;
  if (/\p{Cc}/u.test(character)) return `The ${noun} has a control character (${name}). Remove it.`;
  if (/\p{Cs}|\ufffd/u.test(character)) return `The ${noun} has a damaged character (${name}). Type it again.`;
  return `The ${noun} has a character that nobody sees or that changes how other text looks (${name}). Remove it.`;
}

const lineBreaks = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Compatibility forms such as full-width letters count too. */
const hasAddress = (text: string): boolean =>
  /:\/\/|(?<![\p{L}\p{N}])www\.|[^\s@]@[^\s@.]+\.[^\s@]/iu.test(text.normalize('NFKC'));
