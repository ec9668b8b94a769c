import { canonicalizeDomain } from '@shopscope/domain-name';

/** Whether the text is a registrable domain in canonical form. No other name may be visited. */
export function isCanonicalDomain(domain: string): boolean {
  const canonical = canonicalizeDomain(domain);
  return canonical.ok && canonical.value.domain === domain;
}
