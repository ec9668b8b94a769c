import { setImmediate as turn } from 'node:timers/promises';
import { Kafka } from 'kafkajs';
import { expect, it } from 'vitest';
import { openProduceCluster } from './cluster.ts';

/** Returns the cluster that kafkajs creates for a producer, without connections. */
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
  brokerPool: {
    brokers: Record<number, object>;
    seedBroker: object | undefined;
    metadata: object | null;
    connect(): Promise<void>;
    refreshMetadata(topics: string[]): Promise<void>;
  };
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

it('the cluster finds a topic that is loaded during the read of the metadata of other topics', async () => {
  const { cluster, pool } = createUnconnected();
  const answers: (() => void)[] = [];
  pool.connect = async () => {};
  pool.refreshMetadata = async (topics) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    const partitionMetadata = [{ partitionErrorCode: 0, partitionId: 0, leader: 1 }];
    pool.metadata = { topicMetadata: topics.map((topic) => ({ topic, topicErrorCode: 0, partitionMetadata })) };
  };
  const first = cluster.load('a');
  for (let i = 0; i < 5; i++) await turn();
  const loading = [first, cluster.load('b')];
  for (let i = 0; i < 20; i++) {
    await turn();
    for (const answer of answers.splice(0)) answer();
  }
  await Promise.all(loading);
  expect(cluster.leadersOf('b')).toEqual([1]);
});
