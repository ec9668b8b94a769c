/** By the code of a character: 1 for a blank, as `\s` has it. */
const blanks = new Uint8Array(65_536);
for (const [blank] of String.fromCharCode(...Array.from(blanks.keys())).matchAll(/\s/g))
  blanks[blank.charCodeAt(0)] = 1;

/** `text` with one space for each run of blanks, and none at its ends. */
export function withSingleSpaces(text: string): string {
  const trimmed = text.trim();
  const { length } = trimmed;
  let spaced = '';
  let from = 0;
  for (let at = 0; at < length; at++) {
    const code = trimmed.charCodeAt(at);
    if (blanks[code] === 0) continue;
    let end = at + 1;
    while (blanks[trimmed.charCodeAt(end)] === 1) end++;
    if (code === 32 && end === at + 1) continue;
    spaced += `${trimmed.slice(from, at)} `;
    from = end;
    at = end;
  }
  return from === 0 ? trimmed : spaced + trimmed.slice(from);
}
