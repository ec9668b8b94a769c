import type { Catalog, Confidence, Geography, Industry, Scope, StoreState } from './values.ts';

/** What one physical scan saw, checked and in vocabulary terms. */
export type Observation = SiteSeen | SiteNotSeen;

interface ScanFacts {
  scanId: string;
  domain: string;
  /** Grows with every lease of the domain. */
  sequence: number;
  completedAt: Date;
}

export interface SiteSeen extends ScanFacts {
  outcome: 'observed';
  scope: Scope;
  coverageNote: string | null;
  storefrontHost: string;
  state: StoreState;
  /** Members that were not observed are null, an unknown name ''. */
  name: string;
  platform: SeenPlatform | null;
  /** Without repetition of slugs. */
  technologies: SeenTechnology[];
  geography: Geography | null;
  industry: Industry | null;
  catalog: Catalog | null;
}

/** The site did not answer, or does not want to be visited. */
export interface SiteNotSeen extends ScanFacts {
  outcome: 'unreachable' | 'refused';
  /** Closed code, e.g. dns_failure. */
  reason: string;
}

export interface SeenPlatform {
  slug: string;
  name: string;
  confidence: Confidence;
}

export interface SeenTechnology {
  slug: string;
  name: string;
  kind: string;
  category: string;
  confidence: Confidence;
  installState: 'configured' | 'active';
}
