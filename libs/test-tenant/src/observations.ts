import type { ObservationCompleted } from '@shopscope/proto';
import { generatedNumber, generatedStores } from './domains.ts';
import { generatedStore, type PastScan } from './generated/generated-store.ts';
import { magicPast, magicStoreDomains, magicStoreOf, seriesMs, seriesStepMs } from './magic-stores.ts';
import { observationOf, type SeenStore } from './observed-store.ts';

/**
 * The observations of the test tenant. Each depends only on the domain, the number of its scan and the given dates. The past
 * observations have sequences up to 0, and scan n has the sequence n.
 */

/** Returns the name of a generated store. */
export const generatedDomain = (number: number): string => `store-${String(number).padStart(4, '0')}.test`;

/** The stores that every workspace has before its first scan. */
export const corpusDomains: readonly string[] = [
  ...magicStoreDomains.filter((domain) => pastOf(domain).length > 0),
  ...Array.from({ length: generatedStores }, (_, at) => generatedDomain(at + 1)),
];

function pastOf(domain: string): PastScan[] {
  const magic = magicStoreOf(domain);
  if (magic) return magicPast(magic);
  const number = generatedNumber(domain);
  return number === undefined ? [] : generatedStore(number);
}

/** Returns the past observations of a store, oldest first, dated before `endMs`. There are none of an unknown store. */
export function pastObservations(domain: string, endMs: number): ObservationCompleted[] {
  const past = pastOf(domain);
  return past.map(({ seen, agoMs }, at) => {
    const sequence = at + 1 - past.length;
    return observationOf(domain, seen, { scanId: `past-${-sequence}`, sequence, completedAtMs: endMs - agoMs });
  });
}

/** A simulated scan that found its store. */
export interface CompletedScan {
  scanId: string;
  /** The number of the scan, from 1. */
  sequence: number;
  completedAtMs: number;
}

/** Returns the observation of a scan, or undefined if scans of the domain find no store. */
export function scanObservation(domain: string, scan: CompletedScan): ObservationCompleted | undefined {
  const seen = seenBy(domain, scan.sequence);
  return seen && observationOf(domain, seen, scan);
}

function seenBy(domain: string, sequence: number): SeenStore | undefined {
  return magicStoreOf(domain)?.at(sequence) ?? pastOf(domain).at(-1)?.seen;
}

/** Whether the dates of the scans of a domain are those of a series. */
export const isSeries = (domain: string): boolean => magicStoreOf(domain)?.isSeries === true;

/**
 * Returns the date of a scan.
 *
 * - The first scan of a series is dated 30 days before `startedAtMs`. Each further one is seven hours later, and at most at its end. So its
 *   removals can be confirmed without a wait of six hours.
 * - Every other scan has the date of its end.
 */
export function scanDateMs(domain: string, scan: Omit<CompletedScan, 'scanId'>, startedAtMs: number): number {
  const { sequence, completedAtMs } = scan;
  if (!isSeries(domain)) return completedAtMs;
  return Math.min(startedAtMs - seriesMs + (sequence - 1) * seriesStepMs, completedAtMs);
}
