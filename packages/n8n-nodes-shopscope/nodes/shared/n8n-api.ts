import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IPollFunctions,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  sleep,
} from 'n8n-workflow';
import { type Api, createApi } from './api.ts';
import { ApiFailure } from './api-failure.ts';

type NodeFunctions = IExecuteFunctions | IHookFunctions | IPollFunctions;

/** Sends requests with the credential of the node. */
export async function createN8nApi(functions: NodeFunctions, beforeSend: () => void = () => undefined): Promise<Api> {
  const { baseUrl } = await functions.getCredentials<{ baseUrl: string }>('shopscopeApi');
  return createApi({
    baseUrl,
    send: (options) => {
      beforeSend();
      return functions.helpers.httpRequestWithAuthentication.call(functions, 'shopscopeApi', options);
    },
    sleep,
    random: Math.random,
  });
}

/** The error that n8n shows: code and message of the API, and below them the id of the request. */
export function nodeErrorOf(functions: NodeFunctions, failure: unknown, itemIndex?: number): Error {
  const at: { itemIndex?: number } = itemIndex === undefined ? {} : { itemIndex };
  if (!(failure instanceof ApiFailure)) return new NodeOperationError(functions.getNode(), failure as Error, at);
  const { code, message, status, requestId } = failure;
  const data: IDataObject = { code, message, status, request_id: requestId };
  return new NodeApiError(functions.getNode(), data as JsonObject, {
    ...at,
    message: `${code}: ${message}`,
    description: requestId === '' ? 'No request ID' : `Request ID: ${requestId}`,
    httpCode: String(status),
  });
}
