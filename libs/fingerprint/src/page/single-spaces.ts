/** By the code of a character: 1 for a blank, as `\s` has it. */
const blanks = new Uint8Array(65_536);
for (const [blank] of String.fromCharCode(...Array.from(blanks.keys())).matchAll(/\s/g))
  blanks[blank.charCodeAt(0)] = 1;

export const isBlank = (code: number): boolean => blanks[code] === 1;

/** What is no single space. */
const run = /[^\S ]\s*| \s+/g;

/** `text` with one space for each run of blanks, and none at its ends. */
export const withSingleSpaces = (text: string): string => text.trim().replace(run, ' ');
