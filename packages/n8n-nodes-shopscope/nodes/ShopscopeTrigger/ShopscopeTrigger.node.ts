import { randomUUID } from 'node:crypto';
import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { createN8nApi, nodeErrorOf } from '../shared/n8n-api.ts';
import { createEndpoint, deleteEndpoint, endpointExists, type StoredEndpoint } from './endpoint.ts';
import { triggerProperties } from './properties.ts';
import { addReceivedId } from './received-ids.ts';
import { verifyWebhook } from './verify-webhook.ts';

export class ShopscopeTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Shopscope Trigger',
    name: 'shopscopeTrigger',
    icon: { light: 'file:../../icons/shopscope.svg', dark: 'file:../../icons/shopscope.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["eventTypes"].join(", ")}}',
    description: 'Starts the workflow when an event of Shopscope arrives at its webhook',
    defaults: { name: 'Shopscope Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'shopscopeApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: triggerProperties,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const api = await createN8nApi(this);
        try {
          return await endpointExists(api, storedOf(this), urlOf(this));
        } catch (error) {
          throw nodeErrorOf(this, error);
        }
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const api = await createN8nApi(this);
        try {
          const endpoint = await createEndpoint(api, settingsOf(this), randomUUID);
          Object.assign(storedOf(this), endpoint);
          return true;
        } catch (error) {
          throw nodeErrorOf(this, error);
        }
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const stored = storedOf(this);
        const api = await createN8nApi(this);
        try {
          if (stored.webhookId !== undefined) await deleteEndpoint(api, stored.webhookId);
        } catch (error) {
          throw nodeErrorOf(this, error);
        }
        delete stored.webhookId;
        delete stored.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const stored = this.getWorkflowStaticData('node') as StoredEndpoint & { receivedIds?: string[] };
    const { rawBody } = this.getRequestObject();
    const delivery = { headers: this.getHeaderData(), body: rawBody };
    const { secret } = stored;
    const event = secret === undefined ? null : verifyWebhook(delivery, { secret, nowMs: Date.now() });
    if (event === null) {
      this.getResponseObject().status(401).send('The signature is not valid.');
      return { noWebhookResponse: true };
    }
    const receivedIds = addReceivedId(stored.receivedIds ?? [], event.id);
    if (receivedIds === null) return { webhookResponse: 'This event has arrived before.' };
    stored.receivedIds = receivedIds;
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}

const storedOf = (functions: IHookFunctions) => functions.getWorkflowStaticData('node') as StoredEndpoint;
const urlOf = (functions: IHookFunctions) => functions.getNodeWebhookUrl('default') as string;

function settingsOf(functions: IHookFunctions) {
  const entries = Object.entries(functions.getNodeParameter('filters') as IDataObject)
    .map(
      ([name, value]) =>
        [
          name,
          String(value)
            .split(/[\s,]+/)
            .filter(Boolean),
        ] as const,
    )
    .filter(([, values]) => values.length > 0);
  const { watchlist_ids: watchlistIds = [], ...filters } = Object.fromEntries(entries);
  return {
    url: urlOf(functions),
    eventTypes: functions.getNodeParameter('eventTypes') as string[],
    description: `n8n: ${functions.getWorkflow().name ?? ''}`.slice(0, 500),
    filters,
    watchlistIds,
  };
}
