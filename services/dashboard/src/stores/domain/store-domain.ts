import { canonicalizeDomain, type DomainProblem } from '@shopscope/domain-name';
import { invalidField } from '@shopscope/errors';

const words: Record<DomainProblem, string> = {
  too_short: 'Enter the domain of a store. Example: shop.example',
  too_long: 'The domain can have at most 253 characters, and an address 2,048.',
  not_a_hostname: 'This is not a domain. Example: shop.example',
  ip_address: 'Enter a domain, not an IP address.',
  not_registrable: 'This is the ending of domains, not a domain. Example: shop.example',
};

/** Returns the canonical domain of the store in a host name or URL that a person entered. */
export function parseDomain(field: string, value: string): string {
  const canonical = canonicalizeDomain(value.trim());
  if (!canonical.ok) throw invalidField(field, words[canonical.problem]);
  return canonical.value.domain;
}
