import { hourMs } from '@shopscope/clock';
import { type BrokerAddress, createKafka, type EventType, type Kafka } from '@shopscope/kafka';
import { kafkaOptions, type TestNamespace } from '@shopscope/testing';

/** A small event for these tests. Its key is the text before the colon. */
export const note: EventType<string> = {
  name: 'note',
  version: 1,
  topic: 'notes',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => {
    const text = Buffer.from(bytes).toString();
    if (text.includes('garbled')) throw new Error('not a note');
    return text;
  },
  key: (text) => text.split(':')[0] as string,
};

export const meta = {
  requestId: 'req_1',
  traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`,
  environment: 'live' as const,
};

export function connect(namespace: TestNamespace, dial?: () => BrokerAddress): Kafka {
  return createKafka({ ...kafkaOptions(namespace), ...(dial && { dial }) });
}

export async function createNotes(kafka: Kafka, ...topics: string[]): Promise<void> {
  await kafka.ensureTopics(topics.map((topic) => ({ topic, partitions: 2, retentionMs: hourMs })));
}
