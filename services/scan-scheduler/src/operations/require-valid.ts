import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { isIdentifier } from '@shopscope/ids';
import { isDomainOf } from '@shopscope/test-tenant';
import { isCanonicalDomain } from '../domain/domain.ts';

/** Throws `invalid_request` with the field. The caller's values become part of stored documents and of index keys. */
export function requireIdentifier(field: string, value: string): void {
  if (value === '') throw invalidField(field, 'is required');
  if (!isIdentifier(value)) throw invalidField(field, 'must be an identifier');
}

/** Works as {@link requireIdentifier}, for a domain that a store of the environment can have. */
export function requireDomain(environment: Environment, field: string, domain: string): void {
  if (!isCanonicalDomain(domain)) throw invalidField(field, 'is not a registrable domain');
  if (!isDomainOf(environment, domain))
    throw invalidField(field, `${domain} is no store of the ${environment} environment`);
}

/** Works as {@link requireDomain}, for domains that may occur only once. */
export function requireDomains(environment: Environment, domains: readonly string[], max: number): void {
  if (domains.length > max) throw invalidField('domains', `has more than ${max} entries`);
  if (new Set(domains).size < domains.length) throw invalidField('domains', 'names a domain twice');
  for (const [index, domain] of domains.entries()) requireDomain(environment, `domains[${index}]`, domain);
}

/** Works as {@link requireIdentifier}, for a time in ms. */
export function requireInstant(field: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value < 8.64e15))
    throw invalidField(field, 'must be an instant in ms');
}
