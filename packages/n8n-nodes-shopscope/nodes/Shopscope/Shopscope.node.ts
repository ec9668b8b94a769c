import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  sleep,
} from 'n8n-workflow';
import { idempotencyKey } from '../shared/idempotency-key.ts';
import { createN8nApi, nodeErrorOf } from '../shared/n8n-api.ts';
import { operations } from './operations/index.ts';
import type { Operation, OperationContext } from './operations/operation.ts';
import { listProperties } from './properties/list.ts';
import { signalProperties } from './properties/signal.ts';
import { storeProperties } from './properties/store.ts';

export class Shopscope implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Shopscope',
    name: 'shopscope',
    icon: { light: 'file:../../icons/shopscope.svg', dark: 'file:../../icons/shopscope.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'What is known about any web store: platform, technologies, country, industry, signals',
    defaults: { name: 'Shopscope' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'shopscopeApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'List', value: 'list' },
          { name: 'Signal', value: 'signal' },
          { name: 'Store', value: 'store' },
        ],
        default: 'store',
      },
      ...storeProperties,
      ...signalProperties,
      ...listProperties,
      {
        displayName: 'Idempotency Seed',
        name: 'idempotencySeed',
        type: 'string',
        default: '={{ $execution.id }}',
        description:
          'Repeating the same request with the same seed within 24 hours bills nothing again. A retry after a crash is a new execution of n8n, so use something that stays, such as the ID of an order.',
      },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const itemCount = this.getInputData().length;
    const name = `${this.getNodeParameter('resource', 0)}.${this.getNodeParameter('operation', 0)}`;
    const context = await createContext(this, itemCount);
    const rows = await (operations[name] as Operation)(context);
    return [rows.map(({ json, item }) => ({ json, pairedItem: { item } }))];
  }
}

async function createContext(functions: IExecuteFunctions, itemCount: number): Promise<OperationContext> {
  const identity = {
    seed: String(functions.getNodeParameter('idempotencySeed', 0)),
    workflowId: String(functions.getWorkflow().id),
    nodeName: functions.getNode().name,
    runIndex: Number(functions.getWorkflowDataProxy(0).$thisRunIndex),
  };
  const throwIfCanceled = () => functions.getExecutionCancelSignal()?.throwIfAborted();
  return {
    api: await createN8nApi(functions, throwIfCanceled),
    itemCount,
    parameter: (name, item) => functions.getNodeParameter(name, item, null),
    keyOf: (step, body) => idempotencyKey({ ...identity, step, body }),
    sleep,
    continuesOnFailure: functions.continueOnFail(),
    errorOf: (failure, item) => nodeErrorOf(functions, failure, item),
  };
}
