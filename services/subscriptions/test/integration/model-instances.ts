import { type CallOptions, createGrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import { SubscriptionsServiceService } from '@shopscope/proto';
import { serviceEnvironment, startTcpProxy, type TcpProxy, type TestNamespace } from '@shopscope/testing';
import { loadConfig, startSubscriptions } from '../../src/index.ts';
import { origin } from './event-harness.ts';
import { noPeers, type SubscriptionsClient } from './harness.ts';

interface Instance {
  service: RunningService;
  client: SubscriptionsClient;
  proxy: TcpProxy;
}

/** The maximum number of calls of one request. Instances may end, so the callers have to be idempotent. */
const maxAttempts = 50;

/** Instances of the service whose connections to MongoDB end when they are killed, in the middle of what they do. */
export function createInstances(namespace: TestNamespace) {
  const instances: Instance[] = [];
  /** The ends of killed instances. The others continue meanwhile. */
  const ends: Promise<void>[] = [];
  let started = 0;

  const start = async (): Promise<void> => {
    const url = new URL(namespace.mongoUrl);
    const proxy = await startTcpProxy(new URL(namespace.mongoUrl));
    url.port = String(proxy.port);
    const service = await startSubscriptions(
      loadConfig({
        ...serviceEnvironment(namespace, 'subscriptions'),
        ...noPeers,
        INSTANCE_ID: `subscriptions-${started++}-${namespace.id}`,
        MONGODB_URL: url.href,
      }),
    );
    const address = service.grpcAddress as string;
    const client = createGrpcClient({ definition: SubscriptionsServiceService, address });
    instances.push({ service, client, proxy });
  };
  /**
   * From here on the instance changes nothing. Its transactions are aborted, or were committed without its knowledge.
   */
  const kill = async (index: number): Promise<void> => {
    const [killed] = instances.splice(index, 1);
    if (!killed) return;
    await killed.proxy.refuse();
    killed.client.close();
    ends.push(killed.service.stop());
  };

  return {
    start,
    kill,
    count: () => instances.length,
    /** Calls instances in turn until one answers. Throws the error of the last one. */
    async call<T>(
      call: (client: SubscriptionsClient, options: CallOptions) => Promise<T>,
      isFinal: (error: unknown) => boolean = () => false,
    ): Promise<T> {
      for (let attempt = 0; ; attempt++) {
        const instance = instances[attempt % instances.length] as Instance;
        try {
          return await call(instance.client, { origin });
        } catch (error) {
          if (isFinal(error) || attempt === maxAttempts) throw error;
        }
      }
    },
    /** Returns the number of pending pieces of work. */
    async pending(): Promise<number> {
      const counts = await Promise.all(instances.map(({ service }) => service.pending?.() ?? 0));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async stop() {
      await Promise.all(ends.splice(0));
      while (instances.length > 0) {
        const instance = instances.pop() as Instance;
        instance.client.close();
        await instance.service.stop();
        await instance.proxy.close();
      }
    },
  };
}
