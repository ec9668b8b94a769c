import { canonicalizeDomain } from '@shopscope/domain-name';

/** True for a registrable domain in the form that all services use. Nothing else may become a target of a visit. */
export function isCanonicalDomain(domain: string): boolean {
  const canonical = canonicalizeDomain(domain);
  return canonical.ok && canonical.value.domain === domain;
}
