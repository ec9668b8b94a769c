import type { Operation } from '../src/contract/operation.ts';
import { operations } from '../src/endpoints/endpoints.ts';
import { getGraphqlSchema } from '../src/endpoints/graphql/endpoint.ts';
import type { ServedOperation } from '../src/http/request.ts';

/** An operation that is announced and not served. The contract has none at present. */
export const announcedOperation: Operation = {
  ...getGraphqlSchema,
  id: 'announced',
  method: 'POST',
  path: '/v1/announced',
  served: false,
};

/** The operations of the contract, handled as given, and one that is not served. */
export const servedBy = (handlers: Pick<ServedOperation, 'handle' | 'begin'>): Operation[] => [
  ...operations.map((operation) => ({ ...operation, ...handlers })),
  announcedOperation,
];
