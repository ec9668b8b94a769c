import type { Channel, Pattern } from '../engine/rule.ts';

/** A regular expression, or one with a weight below 100 because it is weak evidence. `unquoted`: see {@link Pattern}. */
export type Weighted = string | readonly [regex: string, weight: number, place?: 'unquoted'];

/** The traces of a technology in a page, by channel; see {@link Channel}. Text patterns are case-sensitive. */
export interface Traces {
  script?: readonly Weighted[];
  asset?: readonly Weighted[];
  image?: readonly Weighted[];
  anchor?: readonly Weighted[];
  inline?: readonly Weighted[];
  init?: readonly Weighted[];
  html?: readonly Weighted[];
  comment?: readonly Weighted[];
  /** The URL of the page. */
  url?: readonly Weighted[];
  /** Paths of globals. */
  js?: readonly Weighted[];
  /** CSS selectors. */
  dom?: readonly Weighted[];
  /** Name → regular expression of the content. Empty: any content. */
  meta?: Readonly<Record<string, Weighted>>;
  header?: Readonly<Record<string, Weighted>>;
  /** A name that ends in `*`, `-` or `_` is a prefix. */
  cookie?: Readonly<Record<string, Weighted>>;
}

const keyed: ReadonlySet<Channel> = new Set(['js', 'dom']);
const addressed: ReadonlySet<Channel> = new Set(['script', 'asset', 'image', 'anchor']);

/** A path within a URL may also be the start of a relative URL. */
const alsoRelative = (regex: string): string => regex.replace(/^\/(?=[\w(])/, '(?:^|/)');

function pattern(channel: Channel, key: string, weighted: Weighted): Pattern {
  const [text, weight, place] = typeof weighted === 'string' ? ([weighted, 100] as const) : weighted;
  const [written = '', version = ''] = text.split('\\;version:');
  const source = addressed.has(channel) ? alsoRelative(written) : written;
  const caseSensitive = channel !== 'header' && channel !== 'meta';
  return keyed.has(channel)
    ? { channel, key: source, regex: '', version: '', weight, caseSensitive }
    : { channel, key, regex: source, version, weight, caseSensitive, ...(place && { unquoted: true }) };
}

/** `unsourced`: no public document states the traces. They never make a technology certain. */
export function patternsOf(traces: Traces, unsourced = false): Pattern[] {
  const patterns = Object.entries(traces).flatMap(
    ([channel, values]: [string, readonly Weighted[] | Record<string, Weighted>]) =>
      Array.isArray(values)
        ? values.map((value: Weighted) => pattern(channel as Channel, '', value))
        : Object.entries(values).map(([key, value]) => pattern(channel as Channel, key, value as Weighted)),
  );
  return unsourced ? patterns.map((pattern) => ({ ...pattern, unsourced })) : patterns;
}
