import type { INodeProperties } from 'n8n-workflow';
import { domainsProperty, maxWaitProperty } from './shared.ts';

const resource = ['store'];

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
  maxWaitProperty({ resource, operation: ['scan'] }),
];
