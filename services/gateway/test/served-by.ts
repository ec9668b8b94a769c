import type { Operation } from '../src/contract/operation.ts';
import { operations } from '../src/endpoints/endpoints.ts';
import type { ServedOperation } from '../src/http/request.ts';

/** The operations of the contract; the served ones are handled as given. */
export const servedBy = (handlers: Pick<ServedOperation, 'handle' | 'begin'>): Operation[] =>
  operations.map((operation) => (operation.served ? { ...operation, ...handlers } : operation));
