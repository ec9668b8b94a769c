import { AppError } from '@shopscope/errors';
import { PoisonError } from './event-type.ts';

/** True when the handler rejected the event itself and never accepts it. */
export function isRejected(error: unknown): boolean {
  return error instanceof PoisonError || (error instanceof AppError && error.code === 'invalid_request');
}

/** True when a server that the handler uses does not answer. Every event of the batch would fail the same way. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** True when the same event would fail every time. */
export const isPermanent = (error: unknown): boolean => isRejected(error) || isProgramError(error);

const programErrors = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

export function isProgramError(error: unknown): boolean {
  return error instanceof Error && programErrors.includes(error.name);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
