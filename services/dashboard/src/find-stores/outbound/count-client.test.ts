import { AppError } from '@shopscope/errors';
import { CountStoresRequest } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createCountClient } from './count-client.ts';

const origin = { requestId: 'req_1', traceparent: '', environment: 'live' } as const;

it.each([
  new AppError('internal', 'Something else.'),
  new AppError('invalid_request', 'facet_size: must be from 1 to 20,000'),
])('a count that search refuses with %s is unavailable, and its cause is kept', async (cause) => {
  const client = createCountClient({ countStores: () => Promise.reject(cause) });
  await expect(client.countStores(CountStoresRequest.fromPartial({}), origin)).rejects.toMatchObject({
    code: 'unavailable',
    publicMessage: 'Stores cannot be counted at the moment. Try again in a few seconds.',
    cause,
  });
});
