import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { ApiFailure } from './api-failure.ts';
import { pauseBeforeRetryMs } from './retry.ts';

export interface ApiRequest {
  method?: IHttpRequestMethods;
  path: string;
  query?: IDataObject;
  body?: IDataObject;
  /** Every POST has one, so a repeated request has no second effect. */
  idempotencyKey?: string;
}

/** Resolves to the body of the response. Rejects with {@link ApiFailure}. */
export type Api = <T = IDataObject>(request: ApiRequest) => Promise<T>;

export interface ApiDependencies {
  baseUrl: string;
  /** Sends one request with the credential. It resolves with every status and rejects without a response. */
  send(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
  sleep(pauseMs: number): Promise<void>;
  random(): number;
}

/** The service answers within 10 seconds. */
const timeoutMs = 20_000;

/** Sends requests, and repeats those that failed for a while (retry.ts). */
export function createApi({ baseUrl, send, sleep, random }: ApiDependencies): Api {
  return async <T>({ method = 'GET', path, query, body, idempotencyKey }: ApiRequest): Promise<T> => {
    const options: IHttpRequestOptions = {
      method,
      baseURL: baseUrl.replace(/\/+$/, ''),
      url: path,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: timeoutMs,
    };
    if (query !== undefined) options.qs = query;
    if (body !== undefined) options.body = body;
    if (idempotencyKey !== undefined) options.headers = { 'Idempotency-Key': idempotencyKey };
    for (let attempts = 1; ; attempts++) {
      const outcome = await send(options).then(readResponse, noResponse);
      if (!(outcome instanceof ApiFailure)) return outcome as T;
      const pauseMs = pauseBeforeRetryMs(outcome, { attempts, random });
      if (pauseMs === null) throw outcome;
      await sleep(pauseMs);
    }
  };
}

function readResponse({ statusCode: status, headers, body }: IN8nHttpFullResponse): unknown {
  if (status === 204) return {};
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (isObject && status >= 200 && status < 300) return body;
  const { code, message } = ((isObject && (body as IDataObject).error) || {}) as IDataObject;
  const isApiError = typeof code === 'string' && typeof message === 'string';
  return new ApiFailure(isApiError ? message : `the response with status ${status} is not one of the API`, {
    code: isApiError ? code : 'unexpected_response',
    status,
    requestId: String(headers['x-request-id'] ?? ''),
    retryAfterMs: retryAfterMsOf(headers['retry-after']),
  });
}

const noResponse = (error: Error): ApiFailure =>
  new ApiFailure(error.message, { code: 'no_response', status: 0, requestId: '', retryAfterMs: undefined });

/** The API sends seconds. A date, which a proxy may send, counts as absent. */
function retryAfterMsOf(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value)) ? Number(value) * 1_000 : undefined;
}
