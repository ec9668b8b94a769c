import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { limitProperties, textProperty, timeProperty } from './shared.ts';

const resource = ['signal'];
const show = { resource, operation: ['search'] };

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
      textProperty('Category', 'category', 'Category of the technology'),
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
      timeProperty('Confirmed From', 'confirmed_from', 'Earliest time of confirmation'),
      timeProperty('Confirmed To', 'confirmed_to', 'Latest time of confirmation'),
      textProperty('Countries', 'country', 'Countries of the store, such as DE,FR'),
      timeProperty('Effective From', 'from', 'Earliest time of the change itself'),
      timeProperty('Effective To', 'to', 'Latest time of the change itself'),
      textProperty('From Values', 'from_value', 'Values before the change, separated by commas'),
      textProperty('Industries', 'industry', 'Industries of the store, separated by commas'),
      textProperty('List ID', 'list_id', 'Only stores of this list'),
      textProperty('Platforms', 'platform', 'Platforms of the store, separated by commas'),
      textProperty('Technologies', 'technology', 'Technologies, separated by commas'),
      textProperty('To Values', 'to_value', 'Values after the change, separated by commas'),
      { displayName: 'Types', name: 'type', type: 'multiOptions', options: types, default: [] },
    ],
  },
];
