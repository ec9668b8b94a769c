import { systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { recordingTelemetry } from '@shopscope/testing';
import type { KafkaMessage } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { createBatchChain } from './batch-chain.ts';
import type { FetchedBatch } from './batch-steps/batch.ts';
import { deadLetterRecord, restoredRecord, toDeadLetter } from './dead-letters.ts';
import {
  type EventType,
  encodeEvent,
  PoisonError,
  type RawRecord,
  type Received,
  type Subscription,
} from './event-type.ts';
import { type EventProducer, recordBytes } from './producer.ts';

const note: EventType<string> = {
  name: 'note',
  version: 1,
  topic: 'notes',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => {
    const text = Buffer.from(bytes).toString();
    if (text.startsWith('garbled')) throw new Error('not a note');
    return text;
  },
  key: (text) => text,
};

function message(text: string, offset: number, headers: Record<string, string> = {}): KafkaMessage {
  const record = encodeEvent(note, text, { requestId: `req_${offset}`, traceparent: 'trace', environment: 'live' });
  return {
    key: Buffer.from(record.key),
    value: Buffer.from(record.value),
    headers: { ...record.headers, ...headers },
    offset: String(offset),
    timestamp: '1000',
    attributes: 0,
    size: 0,
  } as KafkaMessage;
}

const fetchedOf = (partition: number, messages: KafkaMessage[], over: Partial<FetchedBatch> = {}): FetchedBatch => ({
  batch: { topic: 'notes', partition, messages },
  isRunning: () => true,
  isStale: () => false,
  resolveOffset: () => {},
  commitOffsetsIfNecessary: async () => {},
  heartbeat: async () => {},
  ...over,
});

function setUp(
  handle: (texts: string[]) => Promise<void> | void,
  publish?: () => Promise<void>,
  maxEventsPerBatch = 1_000,
) {
  const { logger, registry, lines } = recordingTelemetry();
  const letters: { topic: string; record: RawRecord }[] = [];
  const requests: number[] = [];
  const producer = {
    async publishRaw(topic: string, records: RawRecord[]) {
      requests.push(records.length);
      await publish?.();
      letters.push(...records.map((record) => ({ topic, record })));
    },
  } as unknown as EventProducer;
  const seen: string[][] = [];
  const chain = createBatchChain({
    groupId: 'readers',
    maxEventsPerBatch,
    producer,
    positions: { inMemory: undefined },
    logger,
    registry,
    clock: { ...systemClock, sleep: async () => {} },
    onProgress: () => {},
  });
  const handleBatch = (
    subscribed: Subscription<string>,
    partition: number,
    messages: KafkaMessage[],
    over?: Partial<FetchedBatch>,
  ) => chain(subscribed, fetchedOf(partition, messages, over));
  const subscription = {
    type: note,
    async handle(events: Received<string>[]) {
      const texts = events.map(({ event }) => event);
      seen.push(texts);
      await handle(texts);
    },
  };
  const run = (...texts: string[]) =>
    handleBatch(
      subscription,
      3,
      texts.map((text, i) => message(text, i)),
    );
  return { run, seen, letters, requests, lines, handleBatch, subscription };
}

describe('batch of one partition', () => {
  it('the handler receives a batch of one partition in one call and in order', async () => {
    const { run, seen, letters } = setUp(() => {});
    await run('a', 'b', 'c');
    expect(seen).toEqual([['a', 'b', 'c']]);
    expect(letters).toEqual([]);
  });

  /** The sizes of the batches that a handler gets of messages with these sizes, and the offsets that are resolved. */
  const handled = async (bytes: number[]) => {
    const resolved: string[] = [];
    const { handleBatch, subscription, seen } = setUp(() => {}, undefined, 3);
    const messages = bytes.map((size, offset) => message('x'.repeat(size), offset));
    await handleBatch(subscription, 3, messages, { resolveOffset: (offset) => void resolved.push(offset) });
    return { batches: seen.map((texts) => texts.map(({ length }) => length)), resolved };
  };

  it('events are handed over in order, in batches of bounded number and bytes, and a larger event alone', async () => {
    const kib = 1024;
    expect(await handled([1, 2, 3, 4])).toEqual({ batches: [[1, 2, 3], [4]], resolved: ['2', '3'] });
    expect(await handled([200 * kib, 312 * kib, 1, 600 * kib, 5])).toEqual({
      batches: [[200 * kib, 312 * kib], [1], [600 * kib], [5]],
      resolved: ['1', '2', '3', '4'],
    });
    expect(await handled([])).toEqual({ batches: [], resolved: [] });
  });

  it('the steps run in order: the handler, then the dead letters, then the commit, then the heartbeat, batch by batch', async () => {
    const steps: string[] = [];
    const { handleBatch, subscription } = setUp(
      (texts) => void steps.push(`handle ${texts}`),
      async () => void steps.push('dead letter'),
      2,
    );
    const messages = ['a', 'garbled', 'c'].map((text, at) => message(text, at));
    await handleBatch(subscription, 3, messages, {
      commitOffsetsIfNecessary: async (next) => void steps.push(`commit ${next?.topics[0]?.partitions[0]?.offset}`),
      heartbeat: async () => void steps.push('heartbeat'),
    });
    expect(steps).toEqual(['handle a', 'dead letter', 'commit 2', 'heartbeat', 'handle c', 'commit 3', 'heartbeat']);
  });

  it.each([
    ['the handler fails', () => Promise.reject(new AppError('unavailable', 'no answer')), async () => {}],
    ['its dead letter is not durable', () => {}, () => Promise.reject(new AppError('unavailable', 'no answer'))],
  ])('nothing of a batch is committed when %s, and no later batch begins', async (_, handle, publish) => {
    const commits: unknown[] = [];
    const { handleBatch, subscription, seen } = setUp(handle, publish, 2);
    const messages = ['a', 'garbled', 'c'].map((text, at) => message(text, at));
    const commitOffsetsIfNecessary = async (next: unknown) => void commits.push(next);
    await expect(handleBatch(subscription, 3, messages, { commitOffsetsIfNecessary })).rejects.toThrow('no answer');
    expect(commits).toEqual([]);
    expect(seen.flat()).not.toContain('c');
  });

  it('an event that the subscription refuses is dead-lettered with the reason, and the handler never sees it', async () => {
    const { handleBatch, subscription, seen, letters } = setUp(() => {});
    const refusalOf = async ({ event }: Received<string>) => (event === 'forged' ? 'no permit' : undefined);
    const messages = ['a', 'forged', 'c'].map((text, at) => message(text, at));
    await handleBatch({ ...subscription, refusalOf }, 3, messages);
    expect(seen).toEqual([['a', 'c']]);
    expect(letters.map(({ record }) => [String(record.value), record.headers['dlq-reason']])).toEqual([
      ['forged', 'no permit'],
    ]);
  });

  it('an event has the environment of its caller, an event of the system has none, and an unknown one is dead-lettered', async () => {
    const { handleBatch, subscription, letters, lines } = setUp(() => {});
    const environments: unknown[] = [];
    const handle = async (events: Received<string>[]) => void environments.push(...events.map(({ meta }) => meta));
    const system = message('b', 1);
    delete system.headers?.environment;
    const messages = [message('a', 0), system, message('c', 2, { environment: 'staging' })];
    await handleBatch({ ...subscription, handle }, 3, messages);
    expect(environments).toEqual([
      { requestId: 'req_0', traceparent: 'trace', environment: 'live' },
      { requestId: 'req_1', traceparent: 'trace', environment: null },
    ]);
    expect(letters.map(({ record }) => record.headers['dlq-reason'])).toEqual([
      'unknown environment "staging" of note',
    ]);
    expect(lines.find(({ requestId }) => requestId === 'req_2')).not.toHaveProperty('environment');
  });

  it('an event of the system has no header with an environment', () => {
    expect(encodeEvent(note, 'a', { requestId: '', traceparent: '', environment: null }).headers).toEqual({
      'event-type': 'note',
      'event-version': '1',
      'request-id': '',
      traceparent: '',
    });
  });

  it('a dead letter, its log line and its replay keep the environment of the event', async () => {
    const { run, letters, lines } = setUp(() => {});
    await run('garbled');
    const [{ record } = { record: undefined }] = letters;
    const letter = { ...message('garbled', 0), headers: record?.headers } as KafkaMessage;
    expect(toDeadLetter(letter)).toMatchObject({ requestId: 'req_0', environment: 'live' });
    expect(restoredRecord(letter).headers).toMatchObject({ environment: 'live' });
    expect(lines).toMatchObject([{ msg: 'an event went to the dead-letter topic', environment: 'live' }]);
  });

  it('the log line of a failed attempt names the requests and the environments of its events', async () => {
    let failures = 1;
    const { run, lines } = setUp(() => {
      if (failures-- > 0) throw new AppError('unavailable', 'no answer');
    });
    await run('a', 'b');
    expect(lines).toMatchObject([{ requestIds: ['req_0', 'req_1'], environments: ['live'] }]);
  });

  it('all dead letters of a batch are published together', async () => {
    const { handleBatch, subscription, seen, letters, requests } = setUp(() => {});
    const refusalOf = async ({ event }: Received<string>) => (event.startsWith('forged') ? 'no permit' : undefined);
    const texts = Array.from({ length: 600 }, (_, n) => (n % 2 ? `forged ${n}` : n % 3 ? `note ${n}` : `garbled ${n}`));
    const messages = texts.map((text, at) => message(text, at));
    await handleBatch({ ...subscription, refusalOf }, 3, messages);
    expect(requests).toEqual([400]);
    expect(letters).toHaveLength(400);
    expect(seen.flat()).toHaveLength(200);
  });

  it.each([
    ['its value', { value: Buffer.alloc(899_000, 'x') }],
    ['its headers', { headers: { 'event-type': Buffer.from('note'), junk: Buffer.alloc(899_000, 'x') } }],
    ['its key', { key: Buffer.alloc(899_000, 'x') }],
  ])(
    'a record too large for a dead letter because of %s is one without its content, with its place and size',
    (_, over) => {
      const origin = { topic: 'notes', partition: 3, groupId: 'readers', reason: 'ü'.repeat(2_000) };
      const record = deadLetterRecord({ ...message('garbled', 7), ...over } as KafkaMessage, origin);
      expect(record.value).toHaveLength(0);
      expect(recordBytes(record)).toBeLessThan(5_000);
      const letter = toDeadLetter({ ...record, offset: '0', timestamp: '0' } as unknown as KafkaMessage);
      expect(letter).toMatchObject({ origin: { partition: '3', offset: '7' }, omittedBytes: expect.any(Number) });
      expect(letter.omittedBytes).toBeGreaterThan(899_000);
    },
  );

  it('a dead letter has the time of the broker, and none of the dlq headers that the publisher of the event has written', async () => {
    const { handleBatch, subscription, letters } = setUp(() => {});
    const forged = { 'dlq-appended-at-ms': '1', 'dlq-reason': 'another', 'dlq-other': 'x' };
    const stored = {
      ...message('garbled a', 0, forged),
      batchContext: { timestampType: 1 },
    } as unknown as KafkaMessage;
    await handleBatch(subscription, 3, [stored, message('garbled b', 1, forged)]);
    expect(letters.map(({ record }) => record.headers['dlq-appended-at-ms'])).toEqual(['1000', undefined]);
    for (const { record } of letters) {
      expect(record.headers).not.toHaveProperty('dlq-other');
      expect(String(record.headers['dlq-reason'])).toContain('cannot be decoded');
    }
  });

  it.each([
    ['a rejection', new PoisonError('never')],
    ['an invalid request', new AppError('invalid_request', 'domain: no such thing')],
    ['a program error', new TypeError('undefined is not a function')],
  ])('only the event that causes %s is dead-lettered, and the other events are handled', async (_, error) => {
    const { run, seen, letters } = setUp((texts) => {
      if (texts.includes('poison')) throw error;
    });
    await run('a', 'poison', 'c');
    expect(seen).toContainEqual(['a']);
    expect(seen).toContainEqual(['c']);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.topic).toBe('notes.dlq');
    expect(letters[0]?.record.headers).toMatchObject({
      'event-type': 'note',
      'request-id': 'req_1',
      'dlq-topic': 'notes',
      'dlq-partition': '3',
      'dlq-offset': '1',
      'dlq-group': 'readers',
    });
    expect(String(letters[0]?.record.headers['dlq-reason'])).toContain(error.message);
  });

  it('the log of a batch names at most twenty requests of retried events, and the request of a dead letter', async () => {
    let fails = 1;
    const { run, lines } = setUp((texts) => {
      if (fails-- > 0) throw new Error('the database is down');
      if (texts.includes('poison')) throw new PoisonError('never');
    });
    await run('poison', ...Array.from({ length: 40 }, (_, n) => `note ${n}`));
    const ids = Array.from({ length: 20 }, (_, n) => `req_${n}`);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'events were not handled; trying again', requestIds: ids },
      { level: 'error', msg: 'an event went to the dead-letter topic', requestId: 'req_0', offset: '0' },
    ]);
  });

  it('an event that cannot be decoded is dead-lettered byte for byte, and the other events are handled', async () => {
    const { run, seen, letters } = setUp(() => {});
    await run('a', 'garbled \u0000', 'c');
    expect(seen).toEqual([['a', 'c']]);
    expect(letters.map(({ record }) => Buffer.from(record.value ?? []).toString())).toEqual(['garbled \u0000']);
  });

  it('unknown event types and versions are dead-lettered without a call of the handler', async () => {
    const { handleBatch, subscription, seen, letters } = setUp(() => {});
    const strange = [
      message('a', 0, { 'event-version': '2' }),
      message('b', 1, { 'event-type': 'unknown' }),
      { ...message('c', 2), headers: {} } as KafkaMessage,
      { ...message('d', 3), value: null } as KafkaMessage,
    ];
    await handleBatch(subscription, 0, strange);
    expect(seen).toEqual([]);
    expect(letters).toHaveLength(4);
  });

  it('a failed batch is retried in place, and a server that stays unavailable causes no dead letter', async () => {
    let failures = 2;
    const passing = setUp(() => {
      if (failures-- > 0) throw new Error('the database is down');
    });
    await passing.run('a');
    expect(passing.seen).toHaveLength(3);

    const lasting = setUp(() => Promise.reject(new AppError('unavailable', 'no answer')));
    await expect(lasting.run('a', 'garbled')).rejects.toThrow('no answer');
    expect(lasting.seen).toHaveLength(5);
    expect(lasting.letters).toEqual([]);
  });

  it('an event that fails for no stated reason while other events succeed is dead-lettered', async () => {
    const { run, seen, letters } = setUp((texts) => {
      if (texts.includes('failing')) throw new Error('this one never works');
    });
    await run('a', 'failing', 'b');
    expect(seen).toContainEqual(['a']);
    expect(seen).toContainEqual(['b']);
    expect(letters.map(({ record }) => Buffer.from(record.value ?? []).toString())).toEqual(['failing']);
    expect(String(letters[0]?.record.headers['dlq-reason'])).toContain('this one never works');
  });

  it('an event that succeeds after the other events is not dead-lettered', async () => {
    let failures = 7;
    const { run, letters, seen } = setUp((texts) => {
      if (texts.includes('b') && failures-- > 0) throw new Error('for a while');
    });
    await run('a', 'b', 'c');
    expect(letters).toEqual([]);
    expect(seen.at(-1)).toEqual(['b']);
  });

  it('events of one key stay in order while the failing event is isolated', async () => {
    let failures = 7;
    const handled: string[] = [];
    const { handleBatch, subscription, letters } = setUp((texts) => {
      if (texts.includes('b') && failures-- > 0) throw new Error('for a while');
      handled.push(...texts);
    });
    const messages = ['a', 'b', 'c', 'd'].map((text, n) => ({
      ...message(text, n),
      key: Buffer.from(n % 2 ? 'k' : text),
    }));
    await handleBatch(subscription, 3, messages);
    expect(letters).toEqual([]);
    expect(handled).toEqual(['a', 'c', 'b', 'd']);
  });

  it('no event of a batch is dead-lettered when every event fails, and few attempts decide this', async () => {
    const { run, seen, letters } = setUp(() => {
      throw new Error('the disk is full');
    });
    const many = Array.from({ length: 500 }, (_, n) => `event-${n}`);
    for (let round = 0; round < 30; round++) await expect(run(...many)).rejects.toThrow('the disk is full');
    expect(letters).toEqual([]);
    expect(seen.length).toBeLessThan(30 * 20);
  });

  it('an event is never dead-lettered because a server is unavailable, even when it is alone', async () => {
    const { run, letters } = setUp(() => Promise.reject(new AppError('unavailable', 'no answer')));
    for (let round = 0; round < 30; round++) await expect(run('a')).rejects.toThrow('no answer');
    expect(letters).toEqual([]);
  });

  it.each([
    ['a server is unavailable', new AppError('unavailable', 'no answer')],
    ['the database ends it at its time limit', new AppError('internal', 'too long', { retryable: true })],
    ['the outcome of its commit is unknown', Object.assign(new Error('connection lost'), { retryable: true })],
  ])('a charge is never dead-lettered while other events succeed and %s', async (_, error) => {
    let lasts = true;
    const handled = new Set<string>();
    const { run, letters } = setUp((texts) => {
      if (lasts && texts.length > 1) throw new Error('the batch is refused for another reason');
      if (lasts && texts.includes('charge')) throw error;
      for (const text of texts) handled.add(text);
    });
    for (let round = 0; round < 30; round++) await expect(run('a', 'charge', 'c')).rejects.toBe(error);
    for (let round = 0; round < 30; round++) await expect(run('charge')).rejects.toBe(error);
    expect(handled).toContain('a');
    lasts = false;
    await run('a', 'charge', 'c');
    expect(handled).toContain('charge');
    expect(letters).toEqual([]);
  });

  it('a batch that exceeds its time limit is split, and each event is handled alone', async () => {
    const handled: string[] = [];
    const { run, letters } = setUp((texts) => {
      if (texts.length > 1) throw new AppError('internal', 'too long', { retryable: true });
      handled.push(...texts);
    });
    await run('a', 'b', 'c');
    expect(handled).toEqual(['a', 'b', 'c']);
    expect(letters).toEqual([]);
  });

  it('an event that is alone in its batch is dead-lettered after ten deliveries', async () => {
    const { run, letters } = setUp(() => {
      throw new Error('this one never works');
    });
    for (let round = 0; round < 10; round++) await expect(run('failing')).rejects.toThrow('never works');
    expect(letters).toEqual([]);
    await run('failing');
    expect(letters).toHaveLength(1);
  });

  it('a batch is delivered again when its dead letter does not become durable', async () => {
    const { run } = setUp(
      () => {},
      () => Promise.reject(new AppError('unavailable', 'kafka is down')),
    );
    await expect(run('garbled')).rejects.toThrow('kafka is down');
  });
});
