import { cleaned } from './cleaned.ts';
import { shortened } from './cut.ts';
import { isolated } from './isolated.ts';

/** The maximum number of characters of the text. A line of a mail has 72. */
const maxLength = 60;
const maxRead = 4 * maxLength;

/** Quotation marks of any language. They could end the quotation of a text. */
const quotationMarks = /["“”„‟«»‹›〝〞＂]/g;
/** Characters around which mail programs create links. */
const linkMarks = /([.:/@。．｡])(?=\S)/g;
const wordJoiner = '\u2060';

/**
 * Quotes a text that a person has chosen, for the body of a mail: at most 60 characters in quotation marks. Nothing in it becomes a link,
 * and it changes nothing outside the quotation.
 */
export function quotedInMail(text: string): string {
  const line = shortened(cleaned(text, maxRead), maxLength).replace(quotationMarks, "'");
  return `“${isolated(line.replace(linkMarks, `$1${wordJoiner}`))}”`;
}
