/**
 * Finds the values of settings in a text: code, or YAML, shell and Markdown.
 *
 * - `NAME: 'value'`, `NAME=value`, `"NAME": "value"`, and the default in `NAME: ${NAME:-value}`.
 * - Names of constants and templates with them -> their values, of the same file or of `exported`.
 * - `'A'.repeat(43)` -> the repeated text.
 * - Not found: values that code computes otherwise.
 */
export interface FoundSecret {
  setting: string;
  value: string;
  line: number;
}

type Constants = ReadonlyMap<string, string>;

const quoted = /'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`/g;
const textOf = ([, single, double, template]: RegExpMatchArray) => single ?? double ?? template ?? '';

/** Constants with a text as value. If several files have a constant with the same name, the last one counts. */
export function constantsIn(text: string): Map<string, string> {
  const found = [...text.matchAll(/\b(?:const|let)\s+(\w+)(?:\s*:\s*\w+)?\s*=\s*('[^'\n]*'|"[^"\n]*"|`[^`\n]*`)/g)];
  return new Map(found.map(([, name = '', value = '']) => [name, value.slice(1, -1)]));
}

/** `exported`: undefined for a text that is not code. */
export function findSecrets(text: string, settings: readonly string[], exported?: Constants): FoundSecret[] {
  const constants = exported && new Map([...exported, ...constantsIn(text)]);
  const assignment = new RegExp(
    `\\b(${settings.join('|')})\\b["'\`]?\\s*(?::|=(?!=|>))[ \\t]*(\\n\\s*)?([^\\n]*)`,
    'g',
  );
  return [...text.matchAll(assignment)].flatMap((match) => {
    const [, setting = '', , expression = ''] = match;
    const before = text.slice(0, match.index).split('\n');
    const isCode = constants && !isInText(before.at(-1) ?? '', text[match.index + setting.length] ?? '');
    const values = new Set(isCode ? codeValuesOf(expression, constants) : [plainValueOf(expression)]);
    values.delete('');
    return [...values].map((value) => ({ setting, value, line: before.length }));
  });
}

/** Whether a name between this part of a line and this character is in a quoted text, and is not quoted itself. */
const isInText = (before: string, next: string) => {
  const outside = /["'`]/.test(next) ? before.slice(0, -1) : before;
  return (outside.match(/["'`]/g) ?? []).length % 2 === 1;
};

/** In YAML, shell and Markdown. */
function plainValueOf(expression: string): string {
  const quotedFirst = /^(['"])(.*?)\1/.exec(expression)?.[2];
  return /^\$\{\w+:-([^}]*)\}/.exec(expression)?.[1] ?? quotedFirst ?? /^[^\s'"`,;)}\]]+/.exec(expression)?.[0] ?? '';
}

/** The code up to the comma or bracket that ends the expression at its beginning. */
function firstExpression(code: string): string {
  let depth = 0;
  for (const { 0: part, index } of code.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|[([{}\]),;]/g)) {
    if (/^[([{]$/.test(part)) depth += 1;
    else if (/^[}\])]$/.test(part)) depth -= 1;
    if (depth < 0 || (depth === 0 && /^[,;]$/.test(part))) return code.slice(0, index);
  }
  return code;
}

function codeValuesOf(written: string, constants: Constants): string[] {
  const expression = firstExpression(written).replace(
    /'([^'\n]*)'\.repeat\((\d{1,3})\)/g,
    (_, part: string, times: string) => {
      return `'${part.repeat(Number(times))}'`;
    },
  );
  const literals = [...expression.matchAll(quoted)].map((match) => withConstants(textOf(match), constants));
  const names = expression.replace(quoted, '').match(/\b[A-Za-z_]\w*\b/g) ?? [];
  return [...literals, ...names.flatMap((name) => constants.get(name) ?? [])];
}

const withConstants = (template: string, constants: Constants): string =>
  template.replace(/\$\{(?:'([^']*)'|(\w+))\}/g, (whole, literal?: string, name?: string) =>
    literal === undefined ? (constants.get(name ?? '') ?? whole) : literal,
  );
