import type { EventProducer } from '@shopscope/kafka';
import type { ScanRequested, UsageRecorded } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createEventPublisher } from './event-publisher.ts';

it.each([
  ['live', ['usage.v1', 'scan-requests.v1']],
  [null, ['usage.v1', 'scan-requests.v1']],
  ['test', ['test-usage.v1', 'test-scan-requests.v1']],
] as const)(
  'events of charges whose origin has the environment %s are published to its topics',
  async (environment, topics) => {
    const published: string[] = [];
    const publish = async ({ topic }: { topic: string }) => void published.push(topic);
    const events = createEventPublisher({ publish, publishMany: publish } as unknown as EventProducer);
    const origin = { requestId: '', traceparent: '', environment };
    await events.publishUsage({} as UsageRecorded, origin, 1_000);
    await events.publishScans([{} as ScanRequested], origin, 1_000);
    expect(published).toEqual(topics);
  },
);
