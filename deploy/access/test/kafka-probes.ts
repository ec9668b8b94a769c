import type { Kafka } from '@shopscope/kafka';

/** Tries what a principal may do. Each function resolves with the broker's decision; any other error rejects. */

const refusals = ['TOPIC_AUTHORIZATION_FAILED', 'GROUP_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED'];

export async function mayWrite({ client }: Kafka, topic: string): Promise<boolean> {
  // The leader of a new topic may need some seconds. A refusal is not retried.
  const retry = { retries: 10, initialRetryTime: 100, maxRetryTime: 1_000 };
  const producer = client.producer({ allowAutoTopicCreation: false, retry });
  await producer.connect();
  const writing = producer.send({ topic, messages: [{ key: 'probe', value: 'probe' }] });
  return decided(writing).finally(() => producer.disconnect());
}

/** Reads one record; the topic must have one. The principal must have the right to use `groupId`. */
export async function mayRead({ client }: Kafka, topic: string, groupId: string): Promise<boolean> {
  const consumer = client.consumer({
    groupId,
    maxWaitTimeInMs: 50,
    retry: { retries: 5, restartOnFailure: async () => false },
  });
  const read = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => read.reject(payload.error));
  await consumer.connect();
  const reading = async () => {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachMessage: async () => read.resolve() });
    await read.promise;
  };
  return decided(reading()).finally(() => consumer.disconnect());
}

/** Only validates. "The topic exists" is not a refusal, so it counts as allowed. */
export async function mayCreate({ client }: Kafka, topic: string): Promise<boolean> {
  const admin = client.admin();
  await admin.connect();
  const creating = admin.createTopics({ validateOnly: true, topics: [{ topic, numPartitions: 1 }] });
  return decided(creating).finally(() => admin.disconnect());
}

export async function mayUseGroup({ client }: Kafka, groupId: string): Promise<boolean> {
  const admin = client.admin();
  await admin.connect();
  return decided(admin.fetchOffsets({ groupId })).finally(() => admin.disconnect());
}

async function decided(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if (typesOf(error).some((type) => refusals.includes(type))) return false;
    throw error;
  }
}

function typesOf(error: unknown): string[] {
  const { name, type, cause, errors = [] } = error as { name?: string; type?: string } & Nested;
  // The client reports a refused group only by this name.
  if (name === 'KafkaJSGroupCoordinatorNotFound') return ['GROUP_AUTHORIZATION_FAILED'];
  return [...(type ? [type] : []), ...(cause ? typesOf(cause) : []), ...errors.flatMap(typesOf)];
}

interface Nested {
  cause?: unknown;
  errors?: unknown[];
}
