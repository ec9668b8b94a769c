/**
 * Text of a page for a name or a note: one line in NFC, without characters that change the order or the visibility of
 * text.
 */

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

// Marks, embeddings, overrides and isolates of the bidirectional algorithm; invisible spaces; soft hyphens.
const invisible = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\u200b\u2060-\u2064\ufeff\u00ad]/gu;

// In these scripts a joiner changes the form of letters.
const joined =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nko}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Tibt}';
const needlessNonJoiner = new RegExp(`(?<![${joined}])\\u200c|\\u200c(?![${joined}])`, 'gu');
const needlessJoiner = new RegExp(
  `(?<![${joined}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?!\\p{Extended_Pictographic})`,
  'gu',
);

/** Printable ASCII with single spaces and no entity. Nothing of it is cut. */
const isClean = /^(?:[!-%'-~]+ )*[!-%'-~]*$/;

/** At most `maxChars` characters. Names are often escaped twice, so entities are decoded twice. */
export function cleanText(text: string, maxChars: number): string {
  const start = text.slice(0, 10 * maxChars);
  if (isClean.test(start)) return start.slice(0, maxChars).trim();
  return undoEntities(undoEntities(start))
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(invisible, '')
    .replace(needlessNonJoiner, '')
    .replace(needlessJoiner, '')
    .toWellFormed()
    .normalize('NFC')
    .trim()
    .slice(0, maxChars)
    .trim();
}
