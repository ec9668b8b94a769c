import { type KeyOptions, startBackends } from './backends.ts';
import { startTestGateway } from './gateway.ts';
import { createRequests } from './requests.ts';
import { startTestSubscriptions } from './subscriptions.ts';

/** A gateway with the real subscriptions, and requests by a key of these options. The other services are fakes. */
export async function startStoreGroups(keyOptions: KeyOptions) {
  const backends = await startBackends();
  const subscriptions = await startTestSubscriptions(backends.namespace);
  const gateway = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: subscriptions.address } });
  return Object.assign(createRequests(backends, gateway, keyOptions), {
    backends,
    gateway,
    async stop() {
      await gateway.stop();
      await subscriptions.stop();
      await backends.stop();
    },
  });
}

export type StoreGroupsSystem = Awaited<ReturnType<typeof startStoreGroups>>;

export const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`);
