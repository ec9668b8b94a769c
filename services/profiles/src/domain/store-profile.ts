import type { DetectedPlatform, DetectedTechnology } from './observation.ts';
import type { Signal } from './signal.ts';
import type { Catalog, Geography, Industry, InstallState, Scope, StoreState } from './values.ts';

/** The known state of a store and its open candidates. */
export interface StoreProfile {
  domain: string;
  /** The sequence of the last merged observation, even if the profile does not show it. */
  sequence: number;
  /** The time of the first observation. An entry with this date may have been there long before. */
  firstScanAt: Date;
  lastCompletedScanAt: Date;
  scope: Scope;
  coverageNote: string | null;
  storefrontHost: string;
  name: string;
  platform: StorePlatform;
  status: StoreStatus;
  /** The technologies, sorted by slug. */
  technologies: StoreTechnology[];
  /** Whether the list omits observed technologies that are not known to be absent. The scope is then partial. */
  technologiesOmitted: boolean;
  geography: Geography;
  industry: Industry;
  catalog: Catalog;
  /** The kinds of pages and records that any scan has read. */
  sourcesRead: readonly string[];
  /** The confirmed signals that the body shows. */
  recentSignals: Signal[];
  /** The changes that need another observation. */
  candidates: Signal[];
  /** Present if the platform and most technologies changed together and this is not confirmed yet. */
  changeOfEverything: ChangeOfEverything | null;
  /** The confirmed changes that the next full observation may refute. */
  retractable: Retractable[];
}

/** A change of the platform and of most technologies in one observation. */
export interface ChangeOfEverything {
  /** The ids of its candidates: one platform change and some removals. */
  candidates: readonly string[];
  /** The number of observations that agree, each at least six hours after the one before. */
  agreements: number;
  /** The time of the latest of these observations. */
  agreedAt: Date;
}

/** A change that several observations have confirmed together, and the entry that it replaced. */
export type Retractable =
  | { kind: 'technology'; signal: Signal; technology: StoreTechnology }
  | { kind: 'platform'; signal: Signal; platform: StorePlatform }
  | { kind: 'status'; signal: Signal };

/** The times of the first and the last observation of an entry. */
interface ObservedSpan {
  firstObservedAt: Date;
  lastConfirmedAt: Date;
}

export type StorePlatform = DetectedPlatform & ObservedSpan;

export interface StoreStatus {
  state: StoreState;
  asOf: Date;
}

/** A technology is absent only if all of its sources were read again and did not show it. */
export type StoreTechnology = Omit<DetectedTechnology, 'installState'> &
  ObservedSpan & {
    /** The last detected state. The body shows `inactive` while the removal is a candidate. */
    installState: InstallState;
  };

/** The result of one merge rule: the new value, the candidates that stay open, and the signals that are new or changed. */
export interface Outcome<Value> {
  value: Value;
  candidates: Signal[];
  signals: Signal[];
}

/** The values of a store by which a search finds its signals. */
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
