/** The workflows of the check, as n8n imports them. */
export interface Workflow {
  id: string;
  name: string;
  active: boolean;
  settings: object;
  nodes: object[];
  connections: object;
}

export const credentialId = 'shopscopeCheck01';
const credentials = { shopscopeApi: { id: credentialId, name: 'Shopscope' } };

export const credentialsOf = (apiKey: string, baseUrl: string) => [
  { id: credentialId, name: 'Shopscope', type: 'shopscopeApi', data: { apiKey, baseUrl } },
];

interface Step {
  name: string;
  type: string;
  typeVersion?: number;
  parameters?: object;
}

/** A step with the node of this repository. */
const shopscope = (name: string, parameters: object, type = 'shopscope') => ({
  name,
  type: `CUSTOM.${type}`,
  parameters,
  credentials,
});

const byHand: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** The steps run one after the other. */
function workflow(id: string, name: string, steps: Step[]): Workflow {
  const nodes = steps.map((step, at) => ({
    id: `${id}-${at}`,
    typeVersion: 1,
    parameters: {},
    position: [at * 200, 0],
    ...step,
  }));
  const connections = steps
    .slice(1)
    .map((step, at) => [steps[at]?.name, { main: [[{ node: step.name, type: 'main', index: 0 }]] }] as const);
  const settings = { executionOrder: 'v1' };
  return { id, name, active: false, settings, nodes, connections: Object.fromEntries(connections) };
}

/** Makes one item with the member `domain` for each domain. */
const itemsOf = (domains: readonly string[]): Step[] => [
  {
    name: 'Domains',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parameters: { mode: 'raw', jsonOutput: JSON.stringify({ domain: domains }), options: {} },
  },
  { name: 'Items', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'domain', options: {} } },
];

export const storeGet = (domain: string): Workflow =>
  workflow('checkStoreGet', 'Store: get', [
    byHand,
    shopscope('Shopscope', { resource: 'store', operation: 'get', domain }),
  ]);

export const storeEnrich = (id: string, domains: readonly string[], seed?: string): Workflow =>
  workflow(id, 'Store: enrich', [
    byHand,
    ...itemsOf(domains),
    shopscope('Shopscope', {
      resource: 'store',
      operation: 'enrich',
      domains: '={{ $json.domain }}',
      ...(seed !== undefined && { idempotencySeed: seed }),
    }),
  ]);

export const storeScan = (domain: string): Workflow =>
  workflow('checkStoreScan', 'Store: scan and wait', [
    byHand,
    shopscope('Shopscope', { resource: 'store', operation: 'scan', domain, maxWait: 5 }),
  ]);

export const signalsToList = (listId: string, limit: number): Workflow =>
  workflow('checkSignals', 'Signals to a list', [
    byHand,
    shopscope('Signals', { resource: 'signal', operation: 'search', returnAll: false, limit }),
    shopscope('List', { resource: 'list', operation: 'addStores', listId, domains: '={{ $json.domain }}' }),
  ]);

/** Each event `scan.completed` adds its store to a list. */
export const eventsToList = (type: 'shopscopeTrigger' | 'shopscopePollingTrigger', listId: string): Workflow =>
  workflow(type, `Events to a list by ${type}`, [
    shopscope('Event', { eventTypes: ['scan.completed'] }, type),
    shopscope('List', { resource: 'list', operation: 'addStores', listId, domains: '={{ $json.data.domain }}' }),
  ]);
