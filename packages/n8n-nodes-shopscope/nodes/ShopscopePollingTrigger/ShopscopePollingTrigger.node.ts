import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { eventTypesProperty } from '../shared/event-types.ts';
import { createN8nApi, nodeErrorOf } from '../shared/n8n-api.ts';
import { latestEvent, type Position, readNewEvents } from './read-events.ts';

export class ShopscopePollingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Shopscope Polling Trigger',
    name: 'shopscopePollingTrigger',
    icon: { light: 'file:../../icons/shopscope.svg', dark: 'file:../../icons/shopscope.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["eventTypes"].join(", ")}}',
    description: 'Starts the workflow with the new events of Shopscope, where no webhook can reach n8n',
    defaults: { name: 'Shopscope Polling Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'shopscopeApi', required: true }],
    properties: [eventTypesProperty],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const api = await createN8nApi(this);
    const types = (this.getNodeParameter('eventTypes') as string[]).join(',');
    try {
      if (this.getMode() === 'manual') {
        const sample = await latestEvent(api, types);
        return sample === undefined ? null : [this.helpers.returnJsonArray(sample)];
      }
      const stored = this.getWorkflowStaticData('node') as Position;
      const { events, position } = await readNewEvents(api, stored, types);
      Object.assign(stored, position);
      return events.length === 0 ? null : [this.helpers.returnJsonArray(events)];
    } catch (error) {
      throw nodeErrorOf(this, error);
    }
  }
}
