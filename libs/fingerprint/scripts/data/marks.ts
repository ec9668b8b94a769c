import { compile as compileSelector } from 'css-select';
import { RE2JS } from 're2js';
import { z } from 'zod';
import type { WrittenMark } from '../../src/profile/country-marks.ts';

/** Rows that relate forms of text to a country. The forms are regular expressions of JavaScript, which the package compiles when it starts. */
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'is not a code of ISO 3166-1 alpha-2')
  .refine((code) => regionNames.of(code) !== undefined, 'there is no country with this code');

export const language = z.string().regex(/^[a-z]{2,3}$/, 'is not a code of a language');

export const flags = z.enum(['i', 'u', 'iu', 'm', 'im', 'mu', 'imu']).exactOptional();

/** The message of the error that `read` throws; undefined if it throws none. */
export function faultOf(read: () => unknown, what = ''): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return what + (error as Error).message;
  }
}

export const regexFault = (form: string, flags = ''): string | undefined => faultOf(() => new RegExp(form, flags));

/** The fault of an expression for the linear-time engine; undefined if the engine accepts it. */
export const re2Fault = (form: string): string | undefined =>
  faultOf(() => RE2JS.compile(form), 'is not a regular expression of RE2: ');

export const selectorFault = (selector: string): string | undefined =>
  faultOf(() => compileSelector(selector), 'is not a CSS selector: ');

/** Adds an issue to a text if `test` returns a fault. */
export const fault =
  (test: (text: string) => string | undefined) => (text: string, context: z.core.$RefinementCtx<string>) => {
    const message = test(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };

export interface Forms {
  forms: string[];
  flags?: string;
}

/** Checks each form as an expression of its own, without the other forms. `parts`: see {@link withParts}. */
export function checkForms({ forms, flags }: Forms, context: z.core.$RefinementCtx, parts: Parts = {}): void {
  for (const [index, form] of forms.entries()) {
    const message = regexFault(withParts(form, parts), flags);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['forms', index], message });
  }
}

export const forms = z.array(z.string().min(1)).min(1);

/** The members `country`, `forms` and `flags` of a row. */
export const markShape = { country, forms, flags };

export const marks = z.array(z.strictObject(markShape).superRefine((row, context) => checkForms(row, context)));

/** Named alternatives. A form refers to them as `%NAME%`. */
export type Parts = Readonly<Record<string, readonly string[]>>;

export const withParts = (form: string, parts: Parts): string =>
  form.replace(/%([a-zA-Z]+)%/g, (whole, name: string) => (parts[name] ? `(?:${parts[name].join('|')})` : whole));

export const formOf = ({ forms, flags = '' }: Forms, parts: Parts = {}): { form: string; flags: string } => ({
  form: withParts(forms.join('|'), parts),
  flags,
});

export const markOf = ({ country, ...forms }: Forms & { country: string }, parts: Parts = {}): WrittenMark => ({
  country,
  ...formOf(forms, parts),
});

/** One regular expression. */
export const form = z.string().superRefine(fault((text) => regexFault(text)));

/** Marks by the language of the pages on which they count. Marks without a language have the key `''`. */
export function byLanguage(rows: readonly { language?: string; country: string; forms: string[]; flags?: string }[]) {
  const groups = Map.groupBy(rows, ({ language = '' }) => language);
  return Object.fromEntries([...groups].map(([language, list]) => [language, list.map((row) => markOf(row))]));
}
