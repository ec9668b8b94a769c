import { createDeadline } from '@shopscope/async';
import { type Client, createClient } from '@shopscope/client';
import { noAnswer } from '../../app/domain/no-answer.ts';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import { outcomeUnknown } from '../../app/outbound/gateway.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { isAnswer, toAppError } from './api-error.ts';
import { callWithKey } from './call-with-key.ts';

const totalMs = 20_000;

/**
 * Calls operations of the API for a workspace with its Dashboard key. The calls of `call` have 20 s in all. A POST that must be done once
 * needs an Idempotency-Key of the caller. `isSentOnce`: a call that is billed and has no Idempotency-Key; it is not repeated.
 *
 * Failure: an error of the API -> AppError with its code, its message, and the one of `fields` that it names. The API does not answer ->
 * `unavailable`. Its text says that the form can be sent again if the request was another than GET and `isReading` is
 * not set. With `isSentOnce` it is the error of `noAnswer`.
 */
export const callApi = <T>(
  deps: Dependencies,
  visit: WorkspaceVisit,
  call: (client: Client) => PromiseLike<T>,
  options: { fields?: readonly string[]; isReading?: boolean; isSentOnce?: boolean } = {},
): Promise<T> =>
  callWithKey(deps, visit, async (secret) => {
    const { address, origin } = visit;
    const { fields, isReading = false, isSentOnce = false } = options;
    const send = deps.gateway.fetchFor({ address, origin, deadline: createDeadline(totalMs), isSentOnce });
    let hasWritten = false;
    const client = createClient({
      apiKey: secret,
      // The client needs a base URL. Only its paths are used.
      baseUrl: 'http://gateway',
      userAgent: 'shopscope-dashboard',
      // The gateway client retries already.
      maxRetries: 0,
      fetch: (input, init) => {
        hasWritten ||= init?.method !== 'GET';
        return send(input, init);
      },
    });
    try {
      return await call(client);
    } catch (error) {
      if (isSentOnce && !isAnswer(error)) throw noAnswer(error);
      const isUnknown = hasWritten && !isReading;
      throw toAppError(error, fields, isUnknown ? outcomeUnknown : undefined);
    }
  });
