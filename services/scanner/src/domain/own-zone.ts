import { getDomain } from 'tldts';

/** Whether the domain has a DNS zone of its own. A store below a platform's domain has none: the names below it belong to the platform. */
export const hasOwnZone = (domain: string): boolean => getDomain(domain) === domain;
