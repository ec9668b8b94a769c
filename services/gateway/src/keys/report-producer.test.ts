import { ManualClock } from '@shopscope/clock';
import { type Kafka, TopicsDifferError } from '@shopscope/kafka';
import { silentTelemetry } from '@shopscope/testing';
import { expect, it, vi } from 'vitest';
import { ensureReportTopics } from './report-producer.ts';

it('a gateway starts while a topic of reports is missing, and looks for the topic again', async () => {
  const missing = { topic: 'key-acks.v1', setting: 'topic', found: undefined, needed: '1 partitions' } as const;
  const ensureTopics = vi.fn<Kafka['ensureTopics']>().mockRejectedValue(new TopicsDifferError([missing]));
  const clock = new ManualClock();
  const kafka = { ensureTopics, options: silentTelemetry() } as unknown as Kafka;
  const topics = await ensureReportTopics({ kafka, clock });
  clock.advance(30_000);
  await vi.waitFor(() => expect(ensureTopics).toHaveBeenCalledTimes(2), { timeout: 60_000 });
  await topics.stop();
});
