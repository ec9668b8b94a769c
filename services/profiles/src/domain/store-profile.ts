import type { DetectedPlatform, DetectedTechnology } from './observation.ts';
import type { Signal } from './signal.ts';
import type { Catalog, Geography, Industry, InstallState, Scope, StoreState } from './values.ts';

/** The known state of a store and its open candidates. */
export interface StoreProfile {
  domain: string;
  /** Sequence of the last merged observation, shown or not. */
  sequence: number;
  lastCompletedScanAt: Date;
  scope: Scope;
  coverageNote: string | null;
  storefrontHost: string;
  name: string;
  platform: StorePlatform;
  status: StoreStatus;
  /** Sorted by slug. */
  technologies: StoreTechnology[];
  /** Whether technologies that were observed, and are not known to be absent, are not listed. The scope is partial then. */
  technologiesOmitted: boolean;
  geography: Geography;
  industry: Industry;
  catalog: Catalog;
  /** Kinds of pages and records that any scan has read. */
  sourcesRead: readonly string[];
  /** The confirmed signals that the body shows. */
  recentSignals: Signal[];
  /** Changes that need a second observation. */
  candidates: Signal[];
  /** The platform and most technologies changed together, and this is not confirmed yet. */
  changeOfEverything: ChangeOfEverything | null;
  /** Confirmed changes that the next full observation may refute. */
  retractable: Retractable[];
}

/** A change of the platform and of most technologies in one observation. */
export interface ChangeOfEverything {
  /** Ids of its candidates: one of the platform, the others of removals. */
  candidates: readonly string[];
  /** Observations that agree, each at least six hours after the one before. */
  agreements: number;
  /** Time of the latest of them. */
  agreedAt: Date;
}

/** A change that observations have confirmed together, and what it replaced. */
export type Retractable =
  | { kind: 'technology'; signal: Signal; technology: StoreTechnology }
  | { kind: 'platform'; signal: Signal; platform: StorePlatform }
  | { kind: 'status'; signal: Signal };

/** When something was observed first, and last. */
interface ObservedSpan {
  firstObservedAt: Date;
  lastConfirmedAt: Date;
}

export type StorePlatform = DetectedPlatform & ObservedSpan;

export interface StoreStatus {
  state: StoreState;
  asOf: Date;
}

/** It is absent only when all of its sources are read again without it. */
export type StoreTechnology = Omit<DetectedTechnology, 'installState'> &
  ObservedSpan & {
    /** The last detected state. While a removal is a candidate, the body shows `inactive`. */
    installState: InstallState;
  };

/** The result of one merge rule: the new value, the candidates that stay open, the signals that are new or changed. */
export interface Outcome<Value> {
  value: Value;
  candidates: Signal[];
  signals: Signal[];
}

/** What a search finds the signals of a store by. */
export interface StoreValues {
  platform: string;
  country: string;
  industry: string;
}

export const storeValuesOf = ({ platform, geography, industry }: StoreProfile): StoreValues => ({
  platform: platform.slug,
  country: geography.country,
  industry: industry.slug,
});
