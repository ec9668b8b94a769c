import { loadConfig, startSubscriptions } from '@shopscope/subscriptions';
import { serviceEnvironment, type TestNamespace } from '@shopscope/testing';

/**
 * The real subscriptions in this process, on a database of the namespace. `peers` is the address of the services that it calls, and `search`
 * that of search.
 */
export async function startTestSubscriptions(namespace: TestNamespace, peers = '127.0.0.1:1', search = peers) {
  const called = {
    KEYS_ADDRESS: peers,
    PROFILES_ADDRESS: peers,
    METERING_ADDRESS: peers,
    SCAN_SCHEDULER_ADDRESS: peers,
    SEARCH_ADDRESS: search,
  };
  const service = await startSubscriptions(
    loadConfig({ ...serviceEnvironment(namespace, 'subscriptions'), ...called }),
  );
  return { address: service.grpcAddress as string, stop: service.stop };
}
