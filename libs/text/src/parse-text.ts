import { invalidField } from '@shopscope/errors';
import { findUnsafe, leadingMarks, lengthOf, nameOf, spaces, stackedMarks } from './characters.ts';

export interface TextRules {
  /** The name of the text in error messages to the person who typed it, for example "name". */
  noun: string;
  /** The maximum number of Unicode code points, after normalisation. */
  maxLength: number;
  mayBeEmpty?: boolean;
  /** Whether web and e-mail addresses are accepted. Texts that appear in mails must not have any. */
  mayHaveAddresses?: boolean;
}

/**
 * Parses a text of one line that a person typed, and returns it in NFC, trimmed, with single spaces. Throws `invalid_request` at the field
 * for every text that other people could misread. The message names the character, because a person can only correct a named one.
 */
export function parseText(field: string, typed: string, rules: TextRules): string {
  const { noun, maxLength, mayBeEmpty = false, mayHaveAddresses = false } = rules;
  const text = typed.normalize('NFC').replace(spaces, ' ').trim();
  const refuse = (problem: string) => invalidField(field, problem);
  const unsafe = findUnsafe(text);
  if (unsafe !== undefined) throw refuse(unsafeProblem(noun, unsafe));
  if (text === '' && !mayBeEmpty) throw refuse(`Enter a ${noun}.`);
  // The length is checked before any step that takes longer for a longer text.
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

/** Whether the text has an address. Compatibility forms such as full-width letters count, too. */
const hasAddress = (text: string): boolean =>
  /:\/\/|(?<![\p{L}\p{N}])www\.|[^\s@]@[^\s@.]+\.[^\s@]/iu.test(text.normalize('NFKC'));
