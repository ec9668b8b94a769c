import { cleaned } from '@shopscope/text';
import { decodeHTMLStrict } from 'entities';

/** Text of a page for a name or a note: one clean line without HTML entities. */
/** Printable ASCII with single spaces and no entity. Nothing of it is cut. */
const isClean = /^(?:[!-%'-~]+ )*[!-%'-~]*$/;

/** At most `maxChars` characters. Names are often escaped twice, so entities are decoded twice. */
export function cleanText(text: string, maxChars: number): string {
  const start = text.slice(0, 10 * maxChars);
  if (isClean.test(start)) return start.slice(0, maxChars).trim();
  return cleaned(decodeHTMLStrict(decodeHTMLStrict(start)), maxChars);
}
