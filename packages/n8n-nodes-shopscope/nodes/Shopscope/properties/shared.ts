import type { INodeProperties } from 'n8n-workflow';

interface Place {
  resource: string[];
  operation: string[];
}

export const textProperty = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  description,
});

export const timeProperty = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'dateTime',
  default: '',
  description,
});

export const domainsProperty = (show: Place): INodeProperties => ({
  displayName: 'Domains',
  name: 'domains',
  type: 'string',
  required: true,
  default: '',
  placeholder: '={{ $json.domain }}',
  description: 'One domain or several, separated by commas, or an expression that gives a list',
  displayOptions: { show: { ...show } },
});

/** "Return All" and "Limit", as the nodes of n8n have them. */
export const limitProperties = (show: Place): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show: { ...show } },
  },
  limitProperty({ ...show, returnAll: [false] }),
];

export const limitProperty = (show: Place & { returnAll?: boolean[] }): INodeProperties => ({
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  description: 'Max number of results to return',
  displayOptions: { show: { ...show } },
});

export const maxWaitProperty = (show: Place): INodeProperties => ({
  displayName: 'Wait At Most (Minutes)',
  name: 'maxWait',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 1440 },
  default: 15,
  description: 'How long to wait for the end of the job. After that the node fails, and the job goes on.',
  displayOptions: { show: { ...show } },
});
