import type { Signal } from './signal.ts';
import type { Catalog, Confidence, Geography, Industry, InstallState, Scope, StoreState } from './values.ts';

/** What the service knows of a store, and what it doubts. */
export interface StoreProfile {
  domain: string;
  /** Of the last observation that was taken in, shown or not. */
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
  geography: Geography;
  industry: Industry;
  catalog: Catalog;
  /** Confirmed ones, as the body shows them. */
  recentSignals: Signal[];
  /** Changes seen once that need a second observation. */
  candidates: Signal[];
}

export interface StorePlatform {
  slug: string;
  name: string;
  confidence: Confidence;
  firstObservedAt: Date;
  lastConfirmedAt: Date;
}

export interface StoreStatus {
  state: StoreState;
  asOf: Date;
}

export interface StoreTechnology {
  slug: string;
  name: string;
  kind: string;
  category: string;
  confidence: Confidence;
  /** As last seen; while a removal is a candidate, the profile shows `inactive` instead. */
  installState: InstallState;
  firstObservedAt: Date;
  lastConfirmedAt: Date;
}

/** One rule's share of a merge: the value to keep, the doubts that stay open, and every signal that is new or changed. */
export interface Outcome<Value> {
  value: Value;
  candidates: Signal[];
  signals: Signal[];
}
