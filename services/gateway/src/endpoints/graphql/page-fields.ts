import { listJobsQuery } from '../jobs/contract.ts';
import { historyQuery, signalQuery } from '../signals/contract.ts';
import { technologyQuery } from '../technologies/contract.ts';
import type { PageField } from './arguments.ts';

/** The fields that read a page, by their name. */
export const pageFields = {
  history: { query: historyQuery, enums: { type: 'SignalType', include: 'SignalInclude' }, without: [] },
  // An ascending search has no last page, and orders late rows by a time that they do not show. REST has it.
  signals: {
    query: signalQuery,
    enums: { type: 'SignalType', include: 'SignalInclude', kind: 'TechnologyKind', confidence: 'Confidence' },
    without: ['order'],
    texts: { confirmed_from: 'Earliest confirmed_at, inclusive. ISO 8601, UTC' },
  },
  technologies: {
    query: technologyQuery,
    enums: { kind: 'TechnologyKind' },
    // An enum of GraphQL has no value with a hyphen. REST has the order.
    without: ['sort'],
    texts: { category: 'Category slug; an unknown one gives an empty page' },
  },
  // The field job reads jobs by their ids.
  jobs: { query: listJobsQuery, enums: { state: 'JobState', type: 'JobType' }, without: ['ids'] },
} as const satisfies Readonly<Record<string, PageField>>;
