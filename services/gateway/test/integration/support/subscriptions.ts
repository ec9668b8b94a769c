import { loadConfig, startSubscriptions } from '@shopscope/subscriptions';
import { serviceEnvironment, type TestNamespace } from '@shopscope/testing';

/** The real subscriptions in this process, on a database of the namespace. */
export async function startTestSubscriptions(namespace: TestNamespace) {
  const service = await startSubscriptions(loadConfig(serviceEnvironment(namespace, 'subscriptions')));
  return { address: service.grpcAddress as string, stop: service.stop };
}
