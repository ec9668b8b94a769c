/**
 * `text` with one space for each run of blanks, and none at its ends. The expression skips single spaces, so most texts
 * stay as they are.
 */
export const withSingleSpaces = (text: string): string => text.trim().replace(/\s{2,}|[^\S ]/g, ' ');
