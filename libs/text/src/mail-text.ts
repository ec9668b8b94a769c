import { cleaned } from './cleaned.ts';
import { shortened } from './cut.ts';
import { isolated } from './isolated.ts';

/** A line of a mail has 72 characters. */
const maxLength = 60;
const maxRead = 4 * maxLength;

/** Marks of quotation of any language, which could end the quotation of a text. */
const quotationMarks = /["“”„‟«»‹›〝〞＂]/g;
/** Mail programs make links of what stands around these. */
const linkMarks = /([.:/@。．｡])(?=\S)/g;
const wordJoiner = '\u2060';

/**
 * A text that a person has chosen, for the body of a mail: in quotation marks, of at most 60 characters. Nothing in it becomes a
 * link, and it changes nothing outside of the quotation.
 */
export function quotedInMail(text: string): string {
  const line = shortened(cleaned(text, maxRead), maxLength).replace(quotationMarks, "'");
  return `“${isolated(line.replace(linkMarks, `$1${wordJoiner}`))}”`;
}
