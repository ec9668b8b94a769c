const separators = /\s{2,}|[^\S ]/g;

/** `text` with one space for each run of blanks, and none at its ends. Most texts stay as they are. */
export function withSingleSpaces(text: string): string {
  const trimmed = text.trim();
  return hasSingleSpaces(trimmed) ? trimmed : trimmed.replace(separators, ' ');
}

/** Whether the only blanks are single spaces. False for some other texts, too. */
function hasSingleSpaces(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || (code === 32 && before === 32)) return false;
    if (code > 127 && (code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0xfeff || code >> 7 === 0x40))
      return false;
    before = code;
  }
  return true;
}
