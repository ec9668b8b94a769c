import { invalidField } from '@shopscope/errors';
import { type EndpointMembers, Filters, type Header } from '@shopscope/proto';

/** The texts of the form of a webhook. */
export interface EndpointForm {
  url: string;
  description: string;
  eventTypes: string[];
  watchlistIds: string[];
  filters: FilterForm;
  maxPerMinute: string;
  /** One header per line. If it is empty, a change keeps the headers. */
  headers: string;
  /** Whether a change removes all headers. */
  removesHeaders: boolean;
}

/** The lists are texts with commas or spaces between the values. */
export interface FilterForm {
  signalTypes: string[];
  technologies: string;
  categories: string;
  platforms: string;
  countries: string;
  industries: string;
  confidenceMin: string;
}

/** The limit of the service. It is checked here too, because each category is looked up. */
const maxValues = 100;

export const filtersOf = (form: FilterForm): Filters =>
  Filters.create({
    signalTypes: form.signalTypes,
    technologies: valuesIn('technology', form.technologies),
    categories: valuesIn('category', form.categories),
    platforms: valuesIn('platform', form.platforms),
    countries: valuesIn('country', form.countries).map((country) => country.toUpperCase()),
    industries: valuesIn('industry', form.industries),
    confidenceMin: form.confidenceMin,
  });

function valuesIn(field: string, text: string): string[] {
  const values = new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  );
  if (values.size > maxValues) throw invalidField(field, `must have at most ${maxValues} entries`);
  return [...values];
}

/** The members that the texts name. The service and profiles check their values. */
export function membersOf(form: EndpointForm): EndpointMembers {
  if (form.url === '') throw invalidField('url', 'Enter the URL that receives the events.');
  if (form.eventTypes.length === 0) throw invalidField('event_types', 'Tick at least one type of event.');
  return {
    url: form.url,
    description: form.description,
    eventTypes: form.eventTypes,
    watchlistIds: form.watchlistIds,
    filters: filtersOf(form.filters),
    maxPerMinute: parseRate(form.maxPerMinute),
    headers: headersIn(form.headers),
  };
}

function parseRate(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidField('max_per_minute', 'Enter a whole number, or leave the field empty.');
}

function headersIn(text: string): Header[] {
  const lines = text.split(/\r?\n/).map((line, n) => ({ line: line.trim(), number: n + 1 }));
  return lines.flatMap(({ line, number }) => {
    if (line === '') return [];
    const colon = line.indexOf(':');
    if (colon < 1) throw invalidField('secret_headers', `Line ${number} has no name before a colon.`);
    return [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
  });
}
