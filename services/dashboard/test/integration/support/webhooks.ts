import { createGrpcClient } from '@shopscope/grpc';
import { WebhooksServiceService } from '@shopscope/proto';
import { serviceEnvironment } from '@shopscope/testing';
import { loadConfig, startWebhooks } from '@shopscope/webhooks';
import type { TestSystem } from './system.ts';

/** The webhooks service at the port where the dashboard calls it. It accepts receivers on this machine. */
export async function startWebhooksOf(
  { namespace, ports }: Pick<TestSystem, 'namespace' | 'ports'>,
  subscriptionsAddress = '127.0.0.1:1',
) {
  const service = await startWebhooks(
    loadConfig({
      ...serviceEnvironment(namespace, 'webhooks'),
      GRPC_PORT: String(ports.webhooks),
      SUBSCRIPTIONS_ADDRESS: subscriptionsAddress,
      PUBLIC_API_URL: 'https://api.shopscope.test',
      WEBHOOK_STORAGE_SECRETS: '1:a development secret of at least 32 characters',
      ALLOW_LOOPBACK_ENDPOINTS: 'true',
      TICK_MS: '100',
    }),
  );
  const client = createGrpcClient({ definition: WebhooksServiceService, address: service.grpcAddress as string });
  return {
    client,
    async stop() {
      client.close();
      await service.stop();
    },
  };
}

export type TestWebhooks = Awaited<ReturnType<typeof startWebhooksOf>>;
