import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { silentTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKafka, startEventually } from './index.ts';

const topics = [{ topic: 'notes', partitions: 1, retentionMs: 60_000 }];
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A broker's place: with nothing that listens, or with something that accepts and never answers. */
async function brokerThat(listens: boolean): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  if (listens) cleanups.push(close);
  else close();
  return `127.0.0.1:${port}`;
}

const open = (broker: string) =>
  createKafka({
    brokers: [broker],
    clientId: 'test',
    topicPrefix: '',
    replicationFactor: 1,
    ...silentTelemetry(),
  });

describe.each([
  ['nothing listens', false],
  ['the broker never answers', true],
])('where %s', (_, listens) => {
  // kafkajs repeats a connection by timers of its own; after 700 ms it waits between two attempts.
  const tags = ['wall-clock'];
  it.each([0, 700])(
    'the close of a Kafka client ends calls that have waited for %d ms, and later calls fail at once',
    { tags },
    async (sinceMs) => {
      const kafka = open(await brokerThat(listens));
      const waiting = kafka.ensureTopics(topics);
      waiting.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, sinceMs));
      const startedAtMs = performance.now();
      await kafka.close();
      await expect(waiting).rejects.toThrow();
      await expect(kafka.ensureTopics(topics)).rejects.toThrow('closed');
      await expect(kafka.endOffsets('notes')).rejects.toThrow('closed');
      expect(performance.now() - startedAtMs).toBeLessThan(1_500);
    },
  );

  it('a consumer that still waits for its topics stops at once', async () => {
    const kafka = open(await brokerThat(listens));
    cleanups.push(kafka.close);
    const clock = new ManualClock();
    const ensureTopics = vi.fn(kafka.ensureTopics).mockRejectedValueOnce(new Error('the first attempt fails'));
    const late = await startEventually({ kafka: { ...kafka, ensureTopics }, topics, clock });
    clock.advance(2_000);
    await vi.waitFor(() => expect(ensureTopics).toHaveBeenCalledTimes(2));
    const startedAtMs = performance.now();
    await late.stop();
    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });
});
