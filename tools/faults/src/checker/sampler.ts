import type { Customers } from '../clients/customers.ts';
import { sleep } from '../wait.ts';
import { usedOf } from './allowance.ts';
import type { Databases } from './databases.ts';

export interface AllowanceSamples {
  samples: number;
  /** The most units that were taken in any sample. */
  most: number;
  problems: string[];
}

/**
 * used ≤ included in every sample: repeatedly reads the units taken of the small allowance and the sum of its ledger.
 * MongoDB unavailable -> the sample is skipped.
 */
export function sampleAllowance(databases: Databases, { smallAllowance }: Customers) {
  let stopped = false;
  let samples = 0;
  let most = 0;
  let mostUsed = 0;
  const loop = (async () => {
    while (!stopped) {
      await Promise.all([
        databases.takenOf(smallAllowance.workspaceId),
        databases.charges(smallAllowance.workspaceId),
      ]).then(
        ([taken, charges]) => {
          samples += 1;
          most = Math.max(most, taken);
          mostUsed = Math.max(mostUsed, usedOf(charges));
        },
        () => {},
      );
      await sleep(200);
    }
  })();
  return {
    async stop(): Promise<AllowanceSamples> {
      stopped = true;
      await loop;
      const problems = [
        ...(most > smallAllowance.included ? [`${most} of ${smallAllowance.included} units were taken`] : []),
        ...(mostUsed > smallAllowance.included
          ? [`${mostUsed} of ${smallAllowance.included} units were in the ledger`]
          : []),
      ];
      return { samples, most, problems };
    },
  };
}
