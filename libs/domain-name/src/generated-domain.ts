/**
 * Whether a store of this domain is generated for the demo: `demo-0001.example`. No other store has such a domain, because registries assign
 * no name below `.example` (RFC 2606). The domain is in canonical form.
 */
export const isGeneratedDomain = (domain: string): boolean => /^demo-[a-z0-9-]+\.example$/.test(domain);
