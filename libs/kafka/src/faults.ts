import { AppError } from '@shopscope/errors';
import { PoisonError } from './event-type.ts';

/** What a handler's failure says of its cause. */
export function isPermanent(error: unknown): boolean {
  return error instanceof PoisonError || (error instanceof AppError && error.code === 'invalid_request');
}

/** What the event uses does not answer: said of the world, not of the event, and no event of the batch fares better. */
export function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** The same event would fail for ever. */
export const isOwnFault = (error: unknown): boolean => isPermanent(error) || isProgramFault(error);

const programFaults = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

export function isProgramFault(error: unknown): boolean {
  return error instanceof Error && programFaults.includes(error.name);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
