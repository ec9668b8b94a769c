import type { INodeProperties } from 'n8n-workflow';
import { domainsProperty, limitProperties, maxWaitProperty } from './shared.ts';

const resource = ['list'];
const members = ['addStores', 'removeStores'];

export const listProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource } },
    options: [
      { name: 'Add Stores', value: 'addStores', action: 'Add stores to a list' },
      { name: 'Create', value: 'create', action: 'Create a list' },
      {
        name: 'Enrich',
        value: 'enrich',
        action: 'Look up the stores of a list',
        description: 'Look up all stores of a list by a job and wait for its results',
      },
      { name: 'Get Many', value: 'getAll', action: 'Get many lists' },
      { name: 'Get Stores', value: 'getStores', action: 'Get the stores of a list' },
      { name: 'Remove Stores', value: 'removeStores', action: 'Remove stores from a list' },
    ],
    default: 'getAll',
  },
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    description: 'Name of the new list',
    displayOptions: { show: { resource, operation: ['create'] } },
  },
  {
    displayName: 'List ID',
    name: 'listId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'lst_01kandxv3w9p4nsbq7g8e2hm5t',
    displayOptions: { show: { resource, operation: [...members, 'getStores', 'enrich'] } },
  },
  domainsProperty({ resource, operation: members }),
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    default: '',
    description: 'Your own ID of the store; it comes back in results and events',
    displayOptions: { show: { resource, operation: ['addStores'] } },
  },
  ...limitProperties({ resource, operation: ['getAll', 'getStores'] }),
  maxWaitProperty({ resource, operation: ['enrich'] }),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show: { resource, operation: ['enrich'] } },
    options: [
      {
        displayName: 'Maximum Units',
        name: 'max_units',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 0,
        description: 'The node fails if the job could bill more units',
      },
      {
        displayName: 'Quote Only',
        name: 'dry_run',
        type: 'boolean',
        default: false,
        description: 'Whether to return what the job would bill, without running it',
      },
      {
        displayName: 'Request Scans',
        name: 'refresh',
        type: 'boolean',
        default: false,
        description: 'Whether to request scans of unknown and stale stores. Each scan bills one lookup_live.',
      },
    ],
  },
];
