// The same rule as `withoutFormulas` of @shopscope/text, which this published package cannot import. A test compares the two.

const begins =
  '[=+\\-@\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20\\u207a-\\u207c\\u208a-\\u208c\\u2212\\u2a75\\u2a76\\ufb29]';
const skipped = '(?:(?![\\t\\r\\n])[\\s\\p{C}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}\\u2800"])*';
const formula = new RegExp(`(?:^|(?<=[;\\t\\r\\n]))(?=${skipped}${begins})|^(?=[\\t\\r])`, 'gu');
const plainNumber = /^-\d+(?:\.\d+)?$/;

/**
 * A cell that no spreadsheet runs: an apostrophe stands before = + - @ and their full-width forms, also behind invisible
 * characters and where some spreadsheets split a cell. Plain numbers stay as they are.
 */
export const withoutFormulas = (text: string): string => (plainNumber.test(text) ? text : text.replace(formula, "'"));
