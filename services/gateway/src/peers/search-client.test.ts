import { createDeadline } from '@shopscope/async';
import { AppError, invalidField } from '@shopscope/errors';
import { FindStoresRequest } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createSearchClient } from './search-client.ts';

const origin = { requestId: 'req_1', traceparent: '', environment: 'live' as const };

/** Returns the error that the caller gets when search refuses with this one. */
function forCaller(error: Error): Promise<unknown> {
  const fails = () => Promise.reject(error);
  const client = createSearchClient({ findStores: fails, countStores: fails } as never);
  return client.findStores(FindStoresRequest.create(), { origin, deadline: createDeadline(60_000) }).catch((e) => e);
}

describe('refusals of search', () => {
  it('a search that waited too long for others of its workspace is concurrency_limited', async () => {
    const refused = new AppError('concurrency_limited', 'Too many searches', { details: { retry_after: 1 } });
    expect(await forCaller(refused)).toBe(refused);
  });

  it('a cursor of an edition that has ended is invalid_request that names cursor', async () => {
    expect(await forCaller(invalidField('edition_id', 'has ended'))).toMatchObject({
      code: 'invalid_request',
      details: { field: 'cursor' },
    });
  });

  it('a search without a response in its time is unavailable, and a defect of search is internal', async () => {
    const late = new AppError('internal', 'late', { cause: Object.assign(new Error('late'), { code: 4 }) });
    expect(await forCaller(late)).toMatchObject({ code: 'unavailable', details: { retry_after: 5 } });
    expect(await forCaller(new AppError('internal', 'a defect'))).toMatchObject({ code: 'internal' });
  });
});
