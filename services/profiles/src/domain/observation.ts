import type { Catalog, Confidence, Geography, Industry, Scope, StoreState } from './values.ts';

/** The validated result of one scan. It contains only technologies of the vocabulary. */
export type Observation = ObservedSite | UnobservedSite;

interface ScanFacts {
  scanId: string;
  domain: string;
  /** It increases with every lease of the domain. */
  sequence: number;
  completedAt: Date;
  /** Two observations with the same domain, sequence and changes have signals with different ids if this differs. */
  signalSeed?: string;
}

export interface ObservedSite extends ScanFacts {
  outcome: 'observed';
  scope: Scope;
  coverageNote: string | null;
  storefrontHost: string;
  state: StoreState;
  /** It is '' if it was not observed. Other members that were not observed are null. */
  name: string;
  platform: DetectedPlatform | null;
  /** Each slug occurs only once. */
  technologies: DetectedTechnology[];
  /** Whether more technologies were detected than are listed. The scope is then partial, because a missing one proves nothing. */
  technologiesOmitted: boolean;
  geography: Geography | null;
  industry: Industry | null;
  catalog: Catalog | null;
  /** The kinds of pages and records that were read. */
  sourcesRead: readonly string[];
  /** The platform that each further page shows by itself. It is `custom` for a page that shows none. */
  furtherPlatforms: readonly string[];
}

/** The site was unreachable, refused the visit, or responded with another page than its own. */
export interface UnobservedSite extends ScanFacts {
  outcome: 'unreachable' | 'refused' | 'not_the_store';
  /** A reason from the closed list of the scanner, for example dns_failure. */
  reason: string;
}

export interface DetectedPlatform {
  slug: string;
  name: string;
  confidence: Confidence;
}

export interface DetectedTechnology {
  slug: string;
  name: string;
  kind: string;
  category: string;
  confidence: Confidence;
  installState: 'configured' | 'active';
  /** The kinds of pages and records that showed the technology. */
  sources: readonly string[];
}
