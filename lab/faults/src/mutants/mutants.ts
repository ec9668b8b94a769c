import { promises } from '../checker/promises.ts';
import { greedyNeighbour } from '../faults/neighbour.ts';

/**
 * A mutant is a deliberate bug that the bench must catch, because a check that cannot fail proves nothing. Each mutant is a
 * patch that is applied to a copy of the checkout. The product has no switch for it.
 */
export interface Mutant {
  name: string;
  /** File in lab/faults/mutants. */
  patch: string;
  /** The scenario that reveals the bug. */
  scenario: string;
  /** The promise that the bug breaks. */
  breaks: string;
}

export const mutants: readonly Mutant[] = [
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
  {
    // The gateway holds units ahead, and does not ask whether their lease has ended.
    name: 'lease spent after its end',
    patch: 'lease-spent-after-its-end.patch',
    scenario: 'gateway-stop-lent',
    breaks: promises.billing,
  },
  {
    name: 'empty page billed',
    patch: 'empty-page-billed.patch',
    scenario: 'gateway-kill',
    breaks: promises.billing,
  },
  {
    name: 'new key per attempt',
    patch: 'new-key-per-attempt.patch',
    scenario: 'dashboard-gateway-cut',
    breaks: promises.billing,
  },
  {
    // The gateway counts the requests of a key, and admits all of them.
    name: 'limits never reached',
    patch: 'limits-never-reached.patch',
    scenario: greedyNeighbour.name,
    breaks: greedyNeighbour.expected,
  },
];
