/** 1 at the code of each blank character (in the sense of `\s`). */
const blanks = new Uint8Array(65_536);
for (const [blank] of String.fromCharCode(...Array.from(blanks.keys())).matchAll(/\s/g))
  blanks[blank.charCodeAt(0)] = 1;

export const isBlank = (code: number): boolean => blanks[code] === 1;

/** Any run of blanks that is not a single space. */
const run = /[^\S ]\s*| \s+/g;

/** Replaces each run of blanks in `text` with one space, and removes blanks at its ends. */
export const withSingleSpaces = (text: string): string => text.trim().replace(run, ' ');
