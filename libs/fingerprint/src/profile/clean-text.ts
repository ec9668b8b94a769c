import { cleaned } from '@shopscope/text';
import { decodeHTMLStrict } from 'entities';

/** Text of a page for a name or a note: one clean line without HTML entities. */
/** Matches printable ASCII with single spaces and without entities. Such a text needs no cleaning. */
const isClean = /^(?:[!-%'-~]+ )*[!-%'-~]*$/;

/** Returns at most `maxChars` characters. Names are often escaped twice. Entities are therefore decoded twice. */
export function cleanText(text: string, maxChars: number): string {
  const start = text.slice(0, 10 * maxChars);
  if (isClean.test(start)) return start.slice(0, maxChars).trim();
  return cleaned(decodeHTMLStrict(decodeHTMLStrict(start)), maxChars);
}
