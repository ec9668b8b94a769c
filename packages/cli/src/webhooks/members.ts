import type { components } from '@shopscope/client';
import type { Call } from '../command.ts';
import { UsageError } from '../exit-codes.ts';

type Options = Call['options'];
type Update = components['schemas']['WebhookUpdate'];
type Filters = NonNullable<Update['filters']>;

export const memberOptions = {
  '--url <URL>': 'with update: another address (https)',
  '--events <TYPES>': 'types of events, with commas. With test: the one that is sent. With replay: only these',
  '--description <TEXT>': 'a note of yours; none: no note',
  '--watchlists <IDS>': 'only events of these watchlists, with commas; all: events of any watchlist, and of none',
  '--type <TYPES>': 'only signals of these types, with commas; all: of every type',
  '--technology <SLUGS>': 'only signals of these technologies, with commas; all: of every technology',
  '--category <SLUGS>': 'only signals of technologies of these categories; all: of every category',
  '--platform <SLUGS>': 'only signals of stores on these platforms; all: on every platform',
  '--country <CODES>': 'only signals of stores in these countries; all: in every country',
  '--industry <SLUGS>': 'only signals of stores of these industries; all: of every industry',
  '--confidence-min <LEVEL>': 'only signals with at least this confidence: high, medium or low; any: every signal',
  '--max-per-minute <N>': 'attempts in a minute, from 1 to 6,000; none: no bound',
  '--header <NAME: VALUE>': 'a header of every attempt. Give it once for each header; none: no headers',
} as const;

/** The options of the members of a webhook, by their names in camel case. */
export const memberNames = [
  'url',
  'events',
  'description',
  'watchlists',
  'type',
  'technology',
  'category',
  'platform',
  'country',
  'industry',
  'confidenceMin',
  'maxPerMinute',
  'header',
] as const;

/** Returns the members that the options set. Throws UsageError for a value that is not possible. */
export function membersOf(options: Options): Omit<Update, 'state'> {
  const { url, events, description, watchlists, maxPerMinute, header } = options;
  const filters = filtersOf(options);
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { event_types: events.split(',') as NonNullable<Update['event_types']> }),
    ...(description !== undefined && { description: description === 'none' ? null : description }),
    ...(watchlists !== undefined && { watchlist_ids: valuesOf(watchlists) }),
    ...(filters !== undefined && { filters }),
    ...(maxPerMinute !== undefined && { max_per_minute: rateOf(maxPerMinute) }),
    ...(header !== undefined && { headers: headersOf(header) }),
  };
}

/** Undefined without an option of a filter. The service replaces all filters together. */
function filtersOf({ type, technology, category, platform, country, industry, confidenceMin }: Options) {
  const lists = { signal_type: type, technology, category, platform, country, industry };
  const filters = {
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([name, text]) => (text === undefined ? [] : [[name, valuesOf(text)]])),
    ),
    ...(confidenceMin !== undefined && { confidence_min: confidenceMin === 'any' ? null : confidenceMin }),
  };
  return Object.keys(filters).length === 0 ? undefined : (filters as Filters);
}

const valuesOf = (text: string): string[] => (text === 'all' ? [] : text.split(','));

function rateOf(text: string): number | null {
  if (text === 'none') return null;
  const rate = Number(text);
  if (Number.isSafeInteger(rate) && rate >= 1) return rate;
  throw new UsageError('--max-per-minute must be a whole number from 1, or none.');
}

/** `lines`: one header each. */
function headersOf(lines: string): Record<string, string> {
  if (lines === 'none') return {};
  const headers = lines.split('\n').map((line) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new UsageError("--header must be like 'X-Team: growth'.");
    return [name, value] as const;
  });
  return Object.fromEntries(headers);
}
