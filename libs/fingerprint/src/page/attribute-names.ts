/**
 * The names of frequent attributes. A name that is read from a page is another text each time, and as a key of an object V8 looks each of
 * them up among all texts of the process. For a frequent name the parser uses the one text that is here.
 */
const frequent =
  'action align alt aria-hidden aria-label async charset class content d data-id data-src decoding defer fill fill-rule for height href id itemprop itemscope itemtype lang loading media method name onclick placeholder property rel role sizes src srcset stroke style tabindex target title type value viewbox width xmlns';
const tableSize = 1024;

/**
 * V8 keeps one copy of each name of a member per process. A name in this form is already hashed, and V8 compares two such
 * names by their addresses.
 */
export const asMemberName = (text: string): string => Object.keys({ [text]: 0 })[0] as string;

/** The hash of a name after one more character. */
export const nameStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

const table: (string | undefined)[] = Array.from({ length: tableSize });
for (const name of frequent.split(' ')) {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = nameStep(hash, name.charCodeAt(at));
  table[hash & (tableSize - 1)] = asMemberName(name);
}

/** The name in `text` with this hash, when it is a frequent one in lower case. */
export function knownName(hash: number, text: string, from: number, to: number): string | undefined {
  const name = table[hash & (tableSize - 1)];
  return name !== undefined && name.length === to - from && text.startsWith(name, from) ? name : undefined;
}
