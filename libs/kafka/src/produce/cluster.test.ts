import { Kafka } from 'kafkajs';
import { expect, it } from 'vitest';
import { openProduceCluster } from './cluster.ts';

/** The cluster that kafkajs creates for a producer. It has no connections. */
function createUnconnected() {
  const client = new Kafka({ brokers: ['127.0.0.1:1'] }) as Kafka & Record<symbol, (options: object) => Pool>;
  const symbol = Object.getOwnPropertySymbols(client).find(({ description }) => description?.endsWith('createCluster'));
  const create = client[symbol as symbol] as (options: object) => Pool;
  let created: Pool | undefined;
  client[symbol as symbol] = (options) => {
    created = create(options);
    return created;
  };
  const cluster = openProduceCluster(client, (topic) => topic);
  return { cluster, pool: (created as Pool).brokerPool };
}
interface Pool {
  brokerPool: { brokers: Record<number, object>; seedBroker: object | undefined };
}

const brokerAt = (nodeId: number) => ({
  nodeId,
  connectionPool: { host: '127.0.0.1', port: nodeId, destroy: async () => {} },
});

it('a broker can be dropped after kafkajs has lost its seed broker', () => {
  const { cluster, pool } = createUnconnected();
  pool.brokers = { 1: brokerAt(1), 2: brokerAt(2) };
  pool.seedBroker = undefined;
  cluster.drop(1);
  cluster.drop(2);
  cluster.drop(2);
  expect(pool.brokers).toEqual({});
});
