import type { operations } from './api.gen.ts';
import { ShopscopeError } from './errors.ts';
import { createPaged, type Page, type Paged } from './pages.ts';
import type { CallOptions, PostOptions, Request, Send } from './send.ts';

/** `cursor`: the next_cursor of an earlier list, which this list continues. A parameter that takes several values also takes one. */
export type ListQuery<Id extends keyof operations> = OneOrMany<NonNullable<operations[Id]['parameters']['query']>>;
type OneOrMany<Query> = {
  [Name in keyof Query]: Query[Name] extends readonly (infer Value)[] | undefined ? Value | Query[Name] : Query[Name];
};

export type Requests = ReturnType<typeof createRequests>;

/** The kinds of requests that operations send. */
export const createRequests = (send: Send) => ({
  get: <T>(path: string, options?: CallOptions) => send<T>({ method: 'GET', path }, options),
  /** Without a key of its own, each call has a new one, which its attempts share. */
  post: <T>(path: string, body: unknown, { idempotencyKey, ...options }: PostOptions = {}) =>
    send<T>(
      { method: 'POST', path, body, headers: { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } },
      options,
    ),
  patch: <T>(path: string, body: unknown, options?: CallOptions) => send<T>({ method: 'PATCH', path, body }, options),
  remove: (path: string, options?: CallOptions) => send<void>({ method: 'DELETE', path }, options),
  list: <P extends Page<unknown>>(
    path: () => string,
    query: Request['query'],
    options?: CallOptions,
    parameter = 'cursor',
  ): Paged<P> =>
    createPaged(async (cursor) =>
      send<P>({ method: 'GET', path: path(), query: { ...query, ...(cursor && { [parameter]: cursor }) } }, options),
    ),
});

/** Refuses texts that would change the path. They are neither domains nor ids nor slugs. */
export function segmentOf(text: string): string {
  if (['', '.', '..'].includes(text)) throw new ShopscopeError(`${JSON.stringify(text)} is neither a domain nor an id`);
  // A surrogate without its other half has no UTF-8. fetch also replaces it in a body.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}
