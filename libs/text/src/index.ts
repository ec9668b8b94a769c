export { cleaned } from './cleaned.ts';
export { csvOf, withoutFormulas } from './csv.ts';
export { cut, shortened } from './cut.ts';
export { escaped, escapedJson, escapedLines } from './escaped.ts';
export { isolated } from './isolated.ts';
export { quotedInMail } from './mail-text.ts';
export { isId, parseId } from './parse-id.ts';
export { parseText, type TextRules } from './parse-text.ts';
export { unknownValue } from './unknown-value.ts';
