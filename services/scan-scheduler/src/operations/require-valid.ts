import { invalidField } from '@shopscope/errors';
import { isIdentifier } from '@shopscope/ids';
import { isCanonicalDomain } from '../domain/domain.ts';

/** Throws `invalid_request` with the field. The caller's values become part of stored documents and of index keys. */
export function requireIdentifier(field: string, value: string): void {
  if (value === '') throw invalidField(field, 'is required');
  if (!isIdentifier(value)) throw invalidField(field, 'must be an identifier');
}

/** Works as {@link requireIdentifier}, for registrable domains that may occur only once. */
export function requireDomains(domains: readonly string[], max: number): void {
  if (domains.length > max) throw invalidField('domains', `has more than ${max} entries`);
  if (new Set(domains).size < domains.length) throw invalidField('domains', 'names a domain twice');
  const invalid = domains.findIndex((domain) => !isCanonicalDomain(domain));
  if (invalid >= 0) throw invalidField(`domains[${invalid}]`, 'is not a registrable domain');
}

/** Works as {@link requireIdentifier}, for a time in ms. */
export function requireInstant(field: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value < 8.64e15))
    throw invalidField(field, 'must be an instant in ms');
}
