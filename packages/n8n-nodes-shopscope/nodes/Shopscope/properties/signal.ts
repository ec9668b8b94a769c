import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { limitProperties } from './shared.ts';

const resource = ['signal'];
const show = { resource, operation: ['search'] };

const text = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  description,
});

const time = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'dateTime',
  default: '',
  description,
});

const types: INodePropertyOptions[] = [
  { name: 'Install State Changed', value: 'install_state_changed' },
  { name: 'Platform Changed', value: 'platform_changed' },
  { name: 'Status Changed', value: 'status_changed' },
  { name: 'Technology Added', value: 'technology_added' },
  { name: 'Technology Removed', value: 'technology_removed' },
];

export const signalProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource } },
    options: [
      {
        name: 'Search',
        value: 'search',
        action: 'Search signals',
        description: 'Find confirmed changes of stores, the latest first',
      },
    ],
    default: 'search',
  },
  ...limitProperties(show),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show },
    options: [
      text('Category', 'category', 'Category of the technology'),
      {
        displayName: 'Confidence',
        name: 'confidence',
        type: 'options',
        options: [
          { name: 'High', value: 'high' },
          { name: 'Low', value: 'low' },
          { name: 'Medium', value: 'medium' },
        ],
        default: 'high',
      },
      time('Confirmed From', 'confirmed_from', 'Earliest time of confirmation'),
      time('Confirmed To', 'confirmed_to', 'Latest time of confirmation'),
      text('Countries', 'country', 'Countries of the store, such as DE,FR'),
      time('Effective From', 'from', 'Earliest time of the change itself'),
      time('Effective To', 'to', 'Latest time of the change itself'),
      text('From Values', 'from_value', 'Values before the change, separated by commas'),
      text('Industries', 'industry', 'Industries of the store, separated by commas'),
      text('List ID', 'list_id', 'Only stores of this list'),
      text('Platforms', 'platform', 'Platforms of the store, separated by commas'),
      text('Technologies', 'technology', 'Technologies, separated by commas'),
      text('To Values', 'to_value', 'Values after the change, separated by commas'),
      { displayName: 'Types', name: 'type', type: 'multiOptions', options: types, default: [] },
    ],
  },
];
