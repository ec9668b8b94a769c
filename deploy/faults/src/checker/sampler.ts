import type { Customers } from '../clients/customers.ts';
import { sleep } from '../wait.ts';
import type { Databases } from './databases.ts';

/** used ≤ included in every sample: looks at the tight allowance again and again, as long as the database answers. */
export function sampleAllowance(databases: Databases, { tight }: Customers) {
  let stopped = false;
  let samples = 0;
  let most = 0;
  const loop = (async () => {
    while (!stopped) {
      await databases.takenOf(tight.workspaceId).then(
        (taken) => {
          samples += 1;
          most = Math.max(most, taken);
        },
        () => {},
      );
      await sleep(200);
    }
  })();
  return {
    async stop(): Promise<{ samples: number; most: number; problems: string[] }> {
      stopped = true;
      await loop;
      const problems = most > tight.included ? [`${most} of ${tight.included} units were taken`] : [];
      return { samples, most, problems };
    },
  };
}
