import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ManualClock } from '@shopscope/clock';
import { recordingTelemetry, silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKafka, type KafkaOptions, startEventually } from './index.ts';

const topics = [{ topic: 'notes', partitions: 1, retentionMs: 60_000 }];
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Returns the address of a broker. Either nothing listens there, or a server accepts connections and never answers. */
async function brokerThat(listens: boolean, sockets: Socket[] = []): Promise<string> {
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

/** Time does not pass for the client, so that none of its own time limits ends a call. */
const open = (broker: string, more: Partial<KafkaOptions> = {}) =>
  createKafka({
    brokers: [broker],
    clientId: 'test',
    topicPrefix: '',
    replicationFactor: 1,
    clock: new ManualClock(),
    ...silentTelemetry(),
    ...more,
  });

const retryCountOf = (entry: unknown) => Number((entry as { retryCount?: number } | undefined)?.retryCount ?? 0);

describe.each([
  ['nothing listens', false],
  ['the broker never answers', true],
])('where %s', (_, listens) => {
  // kafkajs retries a connection with its own timers.
  const tags = ['wall-clock'];
  it.each(['is being opened', 'is retried'])(
    'the close of a Kafka client ends calls whose connection %s, and later calls fail at once',
    { tags },
    async (when) => {
      const sockets: Socket[] = [];
      const telemetry = recordingTelemetry('test', { level: 'debug' });
      const clock = new ManualClock();
      const kafka = open(await brokerThat(listens, sockets), { clock, ...telemetry });
      const waiting = kafka.ensureTopics(topics);
      waiting.catch(() => {});
      const isRetried = () =>
        listens ? sockets.length > 0 : telemetry.lines.some(({ kafkajs }) => retryCountOf(kafkajs) > 1);
      if (when === 'is retried') await waitUntil('a failed attempt or an open connection', isRetried);
      const closing = kafka.close();
      clock.advance(1_000);
      await closing;
      await expect(waiting).rejects.toThrow('closed');
      await expect(kafka.ensureTopics(topics)).rejects.toThrow('closed');
      await expect(kafka.endOffsets('notes')).rejects.toThrow('closed');
    },
  );

  it('the close of a Kafka client ends at its time limit when the broker never confirms it', async () => {
    const clock = new ManualClock();
    const kafka = open(await brokerThat(listens), { clock });
    const never = () => new Promise<never>(() => {});
    const admin = vi.spyOn(kafka.client, 'admin').mockReturnValue({ connect: never } as never);
    kafka.ensureTopics(topics).catch(() => {});
    await vi.waitFor(() => expect(admin).toHaveBeenCalled(), { timeout: 60_000 });
    let closed = false;
    const closing = kafka.close().then(() => {
      closed = true;
    });
    clock.advance(999);
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    clock.advance(1);
    await closing;
  });

  it('a consumer that still waits for its topics stops at once', async () => {
    const kafka = open(await brokerThat(listens));
    cleanups.push(kafka.close);
    const clock = new ManualClock();
    const ensureTopics = vi.fn(kafka.ensureTopics).mockRejectedValueOnce(new Error('the first attempt fails'));
    const late = await startEventually({ kafka: { ...kafka, ensureTopics }, topics, clock });
    clock.advance(2_000);
    await vi.waitFor(() => expect(ensureTopics).toHaveBeenCalledTimes(2), { timeout: 60_000 });
    await late.stop();
  });
});
