import type { INodeProperties } from 'n8n-workflow';
import { eventTypesProperty } from '../shared/event-types.ts';

const list = (displayName: string, name: string): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  description: 'Separated by commas; only signals are filtered',
});

export const triggerProperties: INodeProperties[] = [
  eventTypesProperty,
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    options: [
      list('Categories', 'category'),
      list('Countries', 'country'),
      list('Industries', 'industry'),
      list('Platforms', 'platform'),
      list('Signal Types', 'signal_type'),
      list('Technologies', 'technology'),
      { ...list('Watchlist IDs', 'watchlist_ids'), description: 'Only signals that these watchlists report' },
    ],
  },
];
