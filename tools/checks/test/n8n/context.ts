import type { OperationContext } from '../../../../packages/n8n-nodes-shopscope/nodes/Shopscope/operations/operation.ts';
import { type Api, createApi } from '../../../../packages/n8n-nodes-shopscope/nodes/shared/api.ts';
import { idempotencyKey } from '../../../../packages/n8n-nodes-shopscope/nodes/shared/idempotency-key.ts';

export type Send = Parameters<typeof createApi>[0]['send'];

/** Sends by `fetch` what the node sends by n8n. */
export function senderOf(key: string): Send {
  return async ({ method = 'GET', baseURL, url, qs, body, headers }) => {
    const query = new URLSearchParams(qs as Record<string, string>).toString();
    const response = await fetch(`${baseURL}${url}${query && `?${query}`}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(headers as object) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));

export const apiOf = (baseUrl: string, send: Send): Api => createApi({ baseUrl, send, sleep, random: () => 0 });

/** What an operation gets from n8n. `parameters`: of each input item. */
export function contextOf(
  api: Api,
  parameters: readonly Record<string, unknown>[],
  { seed = 'run-1', continuesOnFailure = false, pause = sleep } = {},
): OperationContext {
  const identity = { seed, workflowId: 'wf1', nodeName: 'Shopscope', runIndex: 0 };
  return {
    api,
    itemCount: parameters.length,
    parameter: (name, item) => parameters[item]?.[name] ?? null,
    keyOf: (step, body) => idempotencyKey({ ...identity, step, body }),
    sleep: pause,
    continuesOnFailure,
    errorOf: (failure, item) => Object.assign(failure as Error, { item }),
  };
}
