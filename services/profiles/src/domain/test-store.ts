import { dayMs } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import { isSeries, pastObservations, scanDateMs, scanObservation } from '@shopscope/test-tenant/observations';
import { type MergedStore, mergedStore } from './merged-store.ts';
import type { Observation } from './observation.ts';
import { type FindTechnology, parseObservation } from './parse-observation.ts';

/** The record of past signals is before every search, so no follower finds them again on another day. */
const recordedBefore = new Date(1);

/** Merges the past observations of a store, dated before `endMs`. Returns undefined if it is unknown before its first scan. */
export const pastStore = (domain: string, endMs: number, find: FindTechnology): MergedStore | undefined =>
  mergedStore(pastObservations(domain, endMs), { recordedAt: recordedBefore, find, nowMs: endMs });

/** A simulated scan of a workspace. */
export interface TestScan {
  domain: string;
  scanId: string;
  sequence: number;
  completedAtMs: number;
}

/**
 * Returns the end of the past observations of a store that a workspace scans for the first time: the last midnight (UTC), as in look-ups
 * before. The dates of a series depend on the start of the workspace instead, so that they are the same at every time of the day.
 */
export const pastEndMs = ({ domain, completedAtMs }: TestScan, startedAtMs: number): number =>
  isSeries(domain) ? startedAtMs : midnightBefore(completedAtMs);

/**
 * Returns what the scan saw. Throws `invalid_request` if scans of the domain find no store. After a reset the same scans have signals with
 * other ids, because a receiver of webhooks ignores an id that it knows.
 */
export function testObservation(scan: TestScan, startedAtMs: number, find: FindTechnology): Observation {
  const dated = { ...scan, completedAtMs: scanDateMs(scan.domain, scan, startedAtMs) };
  const event = scanObservation(scan.domain, dated);
  if (!event) throw invalidField('domain', 'has no store in the test tenant');
  const { observation } = parseObservation(event, find, scan.completedAtMs);
  return { ...observation, signalSeed: String(startedAtMs) };
}

export const midnightBefore = (ms: number): number => ms - (ms % dayMs);
