import type { Customers } from '../clients/customers.ts';
import { sleep } from '../wait.ts';
import { usedOf } from './allowance.ts';
import type { Databases } from './databases.ts';

export interface AllowanceSamples {
  samples: number;
  /** The most that was taken in any of them. */
  most: number;
  problems: string[];
}

/**
 * used ≤ included in every sample: looks at what the tight allowance says is taken, and at what its ledger adds up to,
 * again and again, as long as the database answers.
 */
export function sampleAllowance(databases: Databases, { tight }: Customers) {
  let stopped = false;
  let samples = 0;
  let most = 0;
  let mostUsed = 0;
  const loop = (async () => {
    while (!stopped) {
      await Promise.all([databases.takenOf(tight.workspaceId), databases.charges(tight.workspaceId)]).then(
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
        ...(most > tight.included ? [`${most} of ${tight.included} units were taken`] : []),
        ...(mostUsed > tight.included ? [`${mostUsed} of ${tight.included} units were in the ledger`] : []),
      ];
      return { samples, most, problems };
    },
  };
}
