import { free } from '../../contract/operation.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { account, usage } from './contract.ts';
import { accountExample, periodExample } from './examples.ts';
import { accountOf } from './get-account.ts';
import { usageOf } from './get-usage.ts';

export const getAccount = defineEndpoint({
  id: 'getAccount',
  method: 'GET',
  path: '/v1/account',
  tag: 'Account',
  summary: 'Key in use, plan and billing period',
  access: 'key',
  billing: free,
  success: {
    status: 200,
    description: 'The account.',
    schema: account,
    example: accountExample,
    headers: ['Cache-Control'],
  },
  handle: async (request, deps) => jsonReply(200, await accountOf(deps, request)),
});

export const getUsage = defineEndpoint({
  id: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  tag: 'Account',
  summary: 'Consumption of the period, in total and by key',
  access: 'key',
  billing: free,
  success: {
    status: 200,
    description: 'Usage, seconds after the requests.',
    schema: usage,
    example: {
      period: periodExample,
      by_key: [{ key_id: accountExample.key.id, label: accountExample.key.label, used: periodExample.used }],
    },
    headers: ['Cache-Control'],
  },
  handle: async (request, deps) => jsonReply(200, await usageOf(deps, request)),
});
