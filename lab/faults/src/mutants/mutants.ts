import { join } from 'node:path';
import { promises } from '../checker/promises.ts';
import { greedyNeighbour } from '../faults/neighbour.ts';

/**
 * A mutant is a deliberate bug that the bench must catch, because a check that cannot fail proves nothing. Each mutant is a patch, which is
 * applied to a copy of the checkout. The product has no switch for it.
 */
export interface Mutant {
  /** The name. The file of the patch in lab/faults/mutants has the same name with hyphens in place of spaces. */
  name: string;
  /** The scenario that reveals the bug. */
  scenario: string;
  /** The promise that the bug breaks. */
  breaks: string;
}

export const patchOf = (root: string, { name }: Mutant): string =>
  join(root, 'lab/faults/mutants', `${name.replaceAll(' ', '-')}.patch`);

export const mutants: readonly Mutant[] = [
  { name: 'no dedupe', scenario: 'redis-flushall', breaks: promises.billing },
  { name: 'offset committed early', scenario: 'metering-kill-before-commit', breaks: promises.billing },
  { name: 'stale key cache', scenario: 'keys-push-cut', breaks: promises.revocation },
  // The gateway spends the units of a lease without checking whether the lease has ended.
  { name: 'lease spent after its end', scenario: 'gateway-stop-lent', breaks: promises.billing },
  { name: 'empty page billed', scenario: 'gateway-kill', breaks: promises.billing },
  { name: 'new key per attempt', scenario: 'dashboard-gateway-cut', breaks: promises.billing },
  // A gateway keeps its connection to a server that has become a replica and refuses all writes.
  { name: 'replica not noticed', scenario: 'redis-readonly', breaks: promises.recovery },
  // The gateway counts the requests of a key, and admits all of them.
  { name: 'limits never reached', scenario: greedyNeighbour.name, breaks: greedyNeighbour.expected },
];
