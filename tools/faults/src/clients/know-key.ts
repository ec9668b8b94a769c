import type { FaultSystem } from '../system/system.ts';
import { poll } from '../wait.ts';
import type { Customers } from './customers.ts';
import { send } from './send.ts';

const timeoutMs = 5_000;

/** Lets every gateway read the key that is going to be revoked: what none has in its cache, none could trust too long. */
export async function letGatewaysKnowKey(
  { gateways }: Pick<FaultSystem, 'gateways'>,
  { revoked }: Pick<Customers, 'revoked'>,
): Promise<boolean> {
  const secret = revoked.keys[0]?.secret ?? '';
  const call = { method: 'GET', path: '/v1/account', secret, timeoutMs } as const;
  const known = gateways.map(({ url }, gateway) =>
    poll(async () => (await send({ ...call, gateway, url })).status === 200 || undefined, { timeoutMs }),
  );
  return (await Promise.all(known)).every((isKnown) => isKnown === true);
}
