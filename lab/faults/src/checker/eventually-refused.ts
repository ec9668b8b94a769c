import type { Customer } from '../clients/customers.ts';
import { send } from '../clients/send.ts';
import { sleep } from '../wait.ts';
import { lastAcceptMs } from './revocation.ts';

const callTimeoutMs = 12_000;
const pauseMs = 500;
/** The time for a first response of a gateway, counted from the last instant at which the key may be accepted. */
const firstResponseWithinMs = 60_000;

/** Checks that every gateway eventually refuses the revoked key, and that no gateway accepts it later than the 60 s of the contract. */
export async function checkEventuallyRefused(
  gatewayUrls: readonly string[],
  { keys }: Customer,
  revokedMs: number,
): Promise<string[]> {
  const lastMs = revokedMs + lastAcceptMs;
  const verdicts = gatewayUrls.map(async (url, gateway) => {
    const call = { gateway, url, method: 'GET', path: '/v1/account', secret: keys[0]?.secret ?? '' } as const;
    for (;;) {
      const { status, startMs } = await send({ ...call, timeoutMs: callTimeoutMs });
      if (status === 401) return [];
      if (status === 200 && startMs > lastMs) return [`gateway ${gateway + 1} accepts a key 60 s after its revocation`];
      if (startMs > lastMs + firstResponseWithinMs) return [`gateway ${gateway + 1} never refused a revoked key`];
      await sleep(pauseMs);
    }
  });
  return (await Promise.all(verdicts)).flat();
}
