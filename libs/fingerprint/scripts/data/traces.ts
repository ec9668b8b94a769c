import { z } from 'zod';
import { requiredLiterals } from '../../src/engine/required-literals.ts';
import type { Channel, Pattern } from '../../src/engine/rule.ts';
import { planSelector } from '../../src/engine/selector-literals.ts';
import { fault, re2Fault, selectorFault } from './marks.ts';

/**
 * The traces of a technology in a page, by channel; see {@link Channel}. A trace is a regular expression, or an object with the expression
 * as `form`.
 *
 * - Text patterns are case-sensitive. Patterns of headers and meta tags are not.
 * - A pattern that the engine cannot use is a problem: another dialect, no literal that a page must have, or an invalid selector.
 */
const trace = {
  /** A template: `\1` is the first group, and `\1?a:b` is a choice. */
  version: z.string().min(1).exactOptional(),
  /** 1–100: the strength of one match. Below 50 is weak. */
  weight: z.int().min(1).max(100).exactOptional(),
};

/** Accepts a string in place of an object that has this form. */
const shortened = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? { form: value } : value), schema);

const textFault = (form: string): string | undefined =>
  re2Fault(form) ??
  (requiredLiterals(form).length === 0 ? 'there is no text of three letters that each match contains' : undefined);

function unusableSelector(selector: string): string | undefined {
  const message = selectorFault(selector);
  if (message !== undefined) return message;
  const wide = planSelector(selector).find(({ literal }) => literal === '');
  return wide && `there is no word of three letters that a page with "${wide.selector}" contains`;
}

/** One or more values. Each may be a string in place of an object with this form. */
const someOf = <Schema extends z.ZodType>(schema: Schema) => z.array(shortened(schema)).min(1).exactOptional();

const text = z.string().min(1).superRefine(fault(textFault));
const texts = someOf(z.strictObject({ form: text, ...trace }));
const code = someOf(
  z.strictObject({
    form: text,
    ...trace,
    /** The end of the match must be outside of string literals. This is for code that begins with a quote. */
    unquoted: z.literal(true).exactOptional(),
  }),
);
const named = z
  .record(
    z.string().min(1),
    shortened(
      z.strictObject({
        form: z.string().superRefine(fault(re2Fault)).default(''),
        ...trace,
      }),
    ),
  )
  .exactOptional();
const identifier = z.string().regex(/^[\w$]+(?:\.[\w$]+)*$/, 'is not a name of a global');
const globals = someOf(z.strictObject({ form: identifier, weight: trace.weight }));

const traces = z.strictObject({
  script: texts,
  asset: texts,
  image: texts,
  anchor: texts,
  inline: code,
  init: code,
  /** Names of objects that the page prints for a script, in the way of `wp_localize_script` of WordPress: `var NAME = {`. */
  setting: z.array(identifier).min(1).exactOptional(),
  html: texts,
  comment: texts,
  url: texts,
  js: globals,
  dom: someOf(z.strictObject({ form: z.string().min(1).superRefine(fault(unusableSelector)), weight: trace.weight })),
  /** Maps a name to the form of the content. Without a form, any content matches. */
  meta: named,
  header: named,
  /** A name that ends in `*`, `-` or `_` is a prefix. */
  cookie: named,
});

export type Traces = z.infer<typeof traces>;

interface Trace {
  form: string;
  version?: string;
  weight?: number;
  unquoted?: true;
}

/** A path within a URL may also be the start of a relative URL. The pattern accepts both. */
const alsoRelative = (regex: string): string => regex.replace(/^\/(?=[\w(])/, '(?:^|/)');

const addressed: ReadonlySet<string> = new Set(['script', 'asset', 'image', 'anchor']);

function patternOf(channel: Channel, key: string, written: Trace, standardWeight: number): Pattern {
  const { form, version = '', weight = standardWeight, unquoted } = written;
  const caseSensitive = channel !== 'header' && channel !== 'meta';
  if (channel === 'js' || channel === 'dom')
    return { channel, key: form, regex: '', version: '', weight, caseSensitive };
  const regex = addressed.has(channel) ? alsoRelative(form) : form;
  return { channel, key, regex, version, weight, caseSensitive, ...(unquoted && { unquoted }) };
}

/** Each name is an expression of its own. In one expression with alternatives, no name would be a literal that a page must have. */
const settingForm = (name: string): Trace => ({ form: `\\bvar ${name}\\s{0,4}=\\s{0,4}\\{` });

function patternsOfAll({ setting = [], ...channels }: Traces, standardWeight: number): Pattern[] {
  const ofChannels = Object.entries(channels).flatMap(([channel, values]) =>
    Array.isArray(values)
      ? values.map((value) => patternOf(channel as Channel, '', value, standardWeight))
      : Object.entries(values as Record<string, Trace>).map(([key, value]) =>
          patternOf(channel as Channel, key, value, standardWeight),
        ),
  );
  return [...ofChannels, ...setting.map((name) => patternOf('inline', '', settingForm(name), standardWeight))];
}

/** Traces that a public document states, and traces that none states. Unsourced traces never make a technology certain. */
export const evidence = {
  traces: traces.exactOptional(),
  unsourcedTraces: traces.exactOptional(),
};

const standardWeight = { sourced: 100, unsourced: 80 };

export function patternsOf(entry: { traces?: Traces; unsourcedTraces?: Traces }): Pattern[] {
  const unsourced = patternsOfAll(entry.unsourcedTraces ?? {}, standardWeight.unsourced);
  return [
    ...patternsOfAll(entry.traces ?? {}, standardWeight.sourced),
    ...unsourced.map((pattern) => ({ ...pattern, unsourced: true })),
  ];
}
