import type { Catalog, Confidence, Geography, Industry, Scope, StoreState } from './values.ts';

/** The result of one scan, validated, with technologies of the vocabulary. */
export type Observation = ObservedSite | UnobservedSite;

interface ScanFacts {
  scanId: string;
  domain: string;
  /** Increases with every lease of the domain. */
  sequence: number;
  completedAt: Date;
}

export interface ObservedSite extends ScanFacts {
  outcome: 'observed';
  scope: Scope;
  coverageNote: string | null;
  storefrontHost: string;
  state: StoreState;
  /** '' when not observed; other members are null then. */
  name: string;
  platform: DetectedPlatform | null;
  /** Slugs are unique. */
  technologies: DetectedTechnology[];
  /** Whether more were detected than are read. The scope is partial then, because a missing one proves nothing. */
  technologiesOmitted: boolean;
  geography: Geography | null;
  industry: Industry | null;
  catalog: Catalog | null;
  /** Kinds of pages and records that were read. */
  sourcesRead: readonly string[];
  /** The platform that each further page shows by itself; `custom` where it shows none. */
  furtherPlatforms: readonly string[];
}

/** The site was unreachable, refused the visit, or answered with something else than its own page. */
export interface UnobservedSite extends ScanFacts {
  outcome: 'unreachable' | 'refused' | 'not_the_store';
  /** A reason of the scanner's closed list, for example dns_failure. */
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
  /** What showed it: kinds of pages and records. */
  sources: readonly string[];
}
