import { cleaned } from '@shopscope/text';

/** Text of a page for a name or a note: one clean line without HTML entities. */

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  reg: '®',
  trade: '™',
  copy: '©',
};

function undoEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return entities[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Printable ASCII with single spaces and no entity. Nothing of it is cut. */
const isClean = /^(?:[!-%'-~]+ )*[!-%'-~]*$/;

/** At most `maxChars` characters. Names are often escaped twice, so entities are decoded twice. */
export function cleanText(text: string, maxChars: number): string {
  const start = text.slice(0, 10 * maxChars);
  if (isClean.test(start)) return start.slice(0, maxChars).trim();
  return cleaned(undoEntities(undoEntities(start)), maxChars);
}
