import type { INodeProperties } from 'n8n-workflow';
import { domainsProperty, limitProperty, maxWaitProperty, textProperty, timeProperty } from './shared.ts';

const resource = ['store'];
const find = { resource, operation: ['find'] };

export const storeProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource } },
    options: [
      {
        name: 'Enrich Many',
        value: 'enrich',
        action: 'Look up many stores',
        description: 'Look up any number of domains; each one gets a result, also if it is unknown',
      },
      {
        name: 'Find',
        value: 'find',
        action: 'Find stores',
        description: 'Find the stores that match. Each store bills one lookup_cached.',
      },
      { name: 'Get', value: 'get', action: 'Get a store', description: 'Get what is known about a web store' },
      {
        name: 'Scan and Wait',
        value: 'scan',
        action: 'Scan a store',
        description: 'Visit a store now and wait for the end of the scan',
      },
    ],
    default: 'enrich',
  },
  domainsProperty({ resource, operation: ['enrich'] }),
  {
    displayName: 'Request Scans',
    name: 'refresh',
    type: 'boolean',
    default: false,
    description: 'Whether to request scans of unknown and stale stores. Each scan bills one lookup_live.',
    displayOptions: { show: { resource, operation: ['enrich'] } },
  },
  {
    displayName: 'Domain',
    name: 'domain',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'northwind-tea.example',
    description: 'The domain of the store, without a path',
    displayOptions: { show: { resource, operation: ['get', 'scan'] } },
  },
  limitProperty(find),
  {
    displayName: 'Clauses',
    name: 'clauses',
    type: 'collection',
    placeholder: 'Add Clause',
    default: {},
    displayOptions: { show: find },
    options: [
      textProperty('Categories', 'category_any', 'With a technology of these categories, separated by commas'),
      textProperty('Countries', 'country', 'Countries of the store, such as DE,FR'),
      timeProperty('Dropped From', 'dropped_from', 'Earliest day of the removal'),
      textProperty(
        'Dropped Technologies',
        'dropped_any',
        'Technologies that the store dropped. A page bills one history_query more.',
      ),
      timeProperty('Dropped To', 'dropped_to', 'Latest day of the removal'),
      timeProperty(
        'First Observed From',
        'first_observed_from',
        'Earliest day on which a scan saw the technologies first',
      ),
      textProperty('Industries', 'industry', 'Industries of the store, separated by commas'),
      textProperty('List IDs', 'list_any', 'Only stores of these lists'),
      textProperty(
        'Moved From Platforms',
        'moved_from_platform',
        'Platforms that the store left. A page bills one history_query more.',
      ),
      textProperty(
        'Moved To Platforms',
        'moved_to_platform',
        'Platforms that the store moved to. A page bills one history_query more.',
      ),
      textProperty('Not These Lists', 'list_none', 'Only stores outside of these lists'),
      textProperty('Platforms', 'platform', 'Platforms of the store, separated by commas'),
      {
        displayName: 'Sort',
        name: 'sort',
        type: 'options',
        options: [
          { name: 'Domain', value: 'domain' },
          { name: 'Last Change', value: '-last_changed_at' },
          { name: 'Last Scan', value: '-last_completed_scan_at' },
          { name: 'Number of Products', value: '-product_count' },
        ],
        default: 'domain',
      },
      textProperty('Technologies', 'technology_any', 'With one of these technologies, separated by commas'),
      textProperty('Without Categories', 'category_none', 'Without a technology of these categories'),
      textProperty('Without Technologies', 'technology_none', 'With none of these technologies'),
    ],
  },
  maxWaitProperty({ resource, operation: ['scan'] }),
];
