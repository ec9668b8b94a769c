import { invalidField } from '@shopscope/errors';
import { isIdentifier } from '@shopscope/ids';

/** Throws `invalid_request` with the field. What a caller sends becomes part of stored documents and of index keys. */
export function requireIdentifier(field: string, value: string): void {
  if (value === '') throw invalidField(field, 'is required');
  if (!isIdentifier(value)) throw invalidField(field, 'must be an identifier');
}

/** As {@link requireIdentifier}, for a time in ms. */
export function requireInstant(field: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value < 8.64e15))
    throw invalidField(field, 'must be an instant in ms');
}
