import type { FaultSystem } from '../system/system.ts';
import { poll } from '../wait.ts';
import type { Customers } from './customers.ts';
import { send } from './send.ts';

const callTimeoutMs = 5_000;
/** On a busy machine the first requests may fail. */
const warmWithinMs = 30_000;

/**
 * Sends requests with the key that will be revoked to every gateway, so that each has the key in its cache. Resolves to whether all have it.
 * A gateway that does not cache the key refuses it at once, so the run would not measure the revocation.
 */
export async function warmKeyCaches(
  { gateways }: Pick<FaultSystem, 'gateways'>,
  { revoked }: Pick<Customers, 'revoked'>,
): Promise<boolean> {
  const secret = revoked.keys[0]?.secret ?? '';
  const call = { method: 'GET', path: '/v1/account', secret, timeoutMs: callTimeoutMs } as const;
  const known = gateways.map(({ url }, gateway) =>
    poll(async () => (await send({ ...call, gateway, url })).status === 200 || undefined, { timeoutMs: warmWithinMs }),
  );
  return (await Promise.all(known)).every((isKnown) => isKnown === true);
}
