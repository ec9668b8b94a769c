import { invalidField } from '@shopscope/errors';
import { confidences, type SignalSubject } from '@shopscope/proto';

type Confidence = (typeof confidences)[number];

/** What narrows the events of signals. All of them must match. An empty list does not filter. */
export interface Filters {
  signalTypes: string[];
  technologies: string[];
  categories: string[];
  platforms: string[];
  countries: string[];
  industries: string[];
  confidenceMin: Confidence | null;
}

const lists = {
  signalTypes: 'signal_type',
  technologies: 'technology',
  categories: 'category',
  platforms: 'platform',
  countries: 'country',
  industries: 'industry',
} as const;
type ListName = keyof typeof lists;

export const noFilters: Filters = {
  signalTypes: [],
  technologies: [],
  categories: [],
  platforms: [],
  countries: [],
  industries: [],
  confidenceMin: null,
};

const maxValues = 100;
const value = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** The gateway knows which names exist. Here the texts only have to be bounded. */
export function parseFilters(given: Record<ListName, readonly string[]> & { confidenceMin: string }): Filters {
  const parsed = Object.entries(lists).map(([member, field]) => {
    const values = given[member as ListName];
    if (values.length > maxValues) throw invalidField(`filters.${field}`, `must have at most ${maxValues} entries`);
    const wrong = values.findIndex((each) => !value.test(each));
    if (wrong >= 0) throw invalidField(`filters.${field}[${wrong}]`, 'must be the name of a value');
    return [member, [...new Set(values)]];
  });
  const confidenceMin = confidences.find((each) => each === given.confidenceMin) ?? null;
  if (given.confidenceMin !== '' && !confidenceMin) {
    throw invalidField('filters.confidence_min', `must be one of ${confidences.join(', ')}`);
  }
  return { ...(Object.fromEntries(parsed) as Record<ListName, string[]>), confidenceMin };
}

/** The members of a signal's data that filters read. */
export interface SignalValues {
  type: string;
  technology: string;
  confidence: string;
}

/** Whether a signal matches. A subject that is unknown matches no filter about it. */
export function matchesFilters(
  filters: Filters,
  signal: Partial<SignalValues>,
  subject: SignalSubject | undefined,
): boolean {
  const pairs = [
    [filters.signalTypes, signal.type],
    [filters.technologies, signal.technology],
    [filters.categories, subject?.category],
    [filters.platforms, subject?.platform],
    [filters.countries, subject?.country],
    [filters.industries, subject?.industry],
  ] as const;
  return (
    pairs.every(([wanted, found]) => wanted.length === 0 || wanted.includes(found ?? '')) && isSure(filters, signal)
  );
}

/** The confidences begin with the highest one. */
function isSure({ confidenceMin }: Filters, { confidence }: Partial<SignalValues>): boolean {
  if (confidenceMin === null) return true;
  const found = confidences.find((each) => each === confidence);
  return found !== undefined && confidences.indexOf(found) <= confidences.indexOf(confidenceMin);
}
