import { type KeyOptions, startBackends } from './backends.ts';
import { startTestGateway } from './gateway.ts';
import { call } from './http.ts';
import { startTestSubscriptions } from './subscriptions.ts';

export interface SendOptions {
  /** The secret of another key than the present one. */
  secret?: string;
  idempotencyKey?: string;
}

/** A gateway with the real subscriptions, and requests by a key of these options. The other services are fakes. */
export async function startStoreGroups(keyOptions: KeyOptions) {
  const backends = await startBackends();
  const subscriptions = await startTestSubscriptions(backends.namespace);
  const gateway = await startTestGateway({ backends, env: { SUBSCRIPTIONS_ADDRESS: subscriptions.address } });
  const newKey = (more: KeyOptions = {}) => backends.addKey({ ...keyOptions, ...more });
  let key = newKey();
  return {
    backends,
    gateway,
    newKey,
    get key() {
      return key;
    },
    /** Later requests come from a key of a new workspace. */
    changeWorkspace(): void {
      key = newKey();
    },
    send: (method: string, path: string, body?: unknown, { secret = key.secret, idempotencyKey }: SendOptions = {}) =>
      call(gateway, path, {
        method,
        key: secret,
        ...(body !== undefined && { body }),
        ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
      }),
    async stop() {
      await gateway.stop();
      await subscriptions.stop();
      await backends.stop();
    },
  };
}

export type StoreGroupsSystem = Awaited<ReturnType<typeof startStoreGroups>>;

export const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`);
