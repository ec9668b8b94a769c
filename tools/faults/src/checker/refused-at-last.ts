import type { Customer } from '../clients/customers.ts';
import { send } from '../clients/send.ts';
import { sleep } from '../wait.ts';
import { lastAcceptMs } from './revocation.ts';

const callTimeoutMs = 12_000;
const pauseMs = 500;
/** After the last instant at which the key may be let in: to get an answer at all. */
const answerWithinMs = 60_000;

/** Every gateway refuses the revoked key in the end, and none lets it in when the contract's minute is over. */
export async function checkRefusedAtLast(
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
      if (status === 200 && startMs > lastMs) return [`gateway ${gateway + 1} lets a key in 60 s after its revocation`];
      if (startMs > lastMs + answerWithinMs) return [`gateway ${gateway + 1} never refused a revoked key`];
      await sleep(pauseMs);
    }
  });
  return (await Promise.all(verdicts)).flat();
}
