import { promises } from '../checker/promises.ts';

/**
 * Bugs that the bench has to catch: a check that cannot fail shows nothing. Each is a patch, applied to a copy of the
 * checkout; the product has no switch for it.
 */
export interface PlantedBug {
  name: string;
  /** Below tools/faults/planted. */
  patch: string;
  /** The fault under which it shows. */
  scenario: string;
  /** The promise it breaks. */
  breaks: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'no dedupe',
    patch: 'no-dedupe.patch',
    scenario: 'redis-flushall',
    breaks: promises.billing,
  },
  {
    name: 'offset committed early',
    patch: 'offset-committed-early.patch',
    scenario: 'metering-kill-before-commit',
    breaks: promises.billing,
  },
  {
    name: 'stale key cache',
    patch: 'stale-key-cache.patch',
    scenario: 'keys-push-cut',
    breaks: promises.revocation,
  },
];
