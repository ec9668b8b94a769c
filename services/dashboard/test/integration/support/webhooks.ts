import { createGrpcClient } from '@shopscope/grpc';
import { EndpointMembers, WebhooksServiceService } from '@shopscope/proto';
import { serviceEnvironment } from '@shopscope/testing';
import { loadConfig, startWebhooks } from '@shopscope/webhooks';
import type { TestSystem } from './system.ts';

/** The webhooks service at the port where the dashboard calls it. It accepts receivers on this machine. */
export async function startWebhooksOf(
  { namespace, db, ports }: Pick<TestSystem, 'namespace' | 'db' | 'ports'>,
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
      TICK_MS: '250',
    }),
  );
  const client = createGrpcClient({ definition: WebhooksServiceService, address: service.grpcAddress as string });
  const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
  return {
    client,
    list: (workspaceId: string) => client.listEndpoints({ workspaceId, afterId: '', limit: 50 }, { origin }),
    /** Returns the id of a new endpoint. */
    async create(workspaceId: string, members: Partial<EndpointMembers>): Promise<string> {
      const given = EndpointMembers.fromPartial({ eventTypes: ['scan.failed'], ...members });
      const request = { workspaceId, members: given, quota: 100, requestToken: '' };
      return (await client.createEndpoint(request, { origin })).endpoint?.id ?? '';
    },
    /** Makes an endpoint look as if nothing has succeeded for long. */
    async fail(endpointId: string, since = new Date('2026-01-15T12:00:00Z')): Promise<void> {
      await databaseOf({ namespace, db })
        .collection<{ _id: string }>('queues')
        .updateOne({ _id: endpointId }, { $set: { streak: { since, failed: 6, isTold: true } } });
    },
    async stop() {
      client.close();
      await service.stop();
    },
  };
}

/** Stores a delivery that has failed. Events of tests that need no attempt do not have to go through Kafka. */
export async function addFailedDelivery(
  system: Pick<TestSystem, 'namespace' | 'db'>,
  delivery: { id: string; workspaceId: string; endpointId: string; excerpts?: readonly string[] },
): Promise<void> {
  const { id: _id, excerpts = ['secret.example'], ...rest } = delivery;
  const message = { type: 'scan.completed', data: { domain: 'matrix.example' }, sequence: 1, environment: 'live' };
  await databaseOf(system)
    .collection<{ _id: string }>('deliveries')
    .insertOne({
      _id,
      ...rest,
      eventId: _id.replace('dlv_', 'evt_'),
      eventType: 'scan.completed',
      sequence: 1,
      eventAt: new Date(),
      body: JSON.stringify(message),
      state: 'failed',
      attempts: excerpts.map((excerpt, n) => ({
        at: new Date(),
        status: excerpt === '' ? null : 500,
        error: excerpt === '' ? 'timeout' : null,
        latencyMs: 12 * (n + 1),
        excerpt,
      })),
      tries: 10,
      createdAt: new Date(),
      lane: 0,
      extra: null,
      token: '',
    } as { _id: string });
}

/** The database of webhooks. */
const databaseOf = ({ namespace, db }: Pick<TestSystem, 'namespace' | 'db'>) =>
  db.client.db(namespace.databaseName('webhooks'));

export type TestWebhooks = Awaited<ReturnType<typeof startWebhooksOf>>;
