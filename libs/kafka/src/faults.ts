import { AppError } from '@shopscope/errors';
import { PoisonError } from './event-type.ts';

/** Whether the handler rejected the event itself and will never accept it. */
export function isRejected(error: unknown): boolean {
  return error instanceof PoisonError || (error instanceof AppError && error.code === 'invalid_request');
}

/** Whether a server that the handler uses is unavailable. Every event of the batch would fail in the same way. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** Whether the same event would fail every time. */
export const isPermanent = (error: unknown): boolean => isRejected(error) || isProgramError(error);

const programErrors = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

export function isProgramError(error: unknown): boolean {
  return error instanceof Error && programErrors.includes(error.name);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
