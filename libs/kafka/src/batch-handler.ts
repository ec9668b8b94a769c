import type { Clock } from '@shopscope/clock';
import { isRetryable } from '@shopscope/errors';
import { Counter, Histogram, type Logger, type Registry } from '@shopscope/telemetry';
import type { KafkaMessage } from 'kafkajs';
import { deadLetter } from './dead-letters.ts';
import { decodeEvent, headerOf } from './decode.ts';
import { headers, PoisonError, type Received, type Subscription } from './event-type.ts';
import { isAway, isOwnFault, isPermanent, isProgramFault, reasonOf } from './faults.ts';
import { shared } from './metrics.ts';
import type { EventProducer } from './producer.ts';
import { distinctIds } from './request-ids.ts';
import { deadLetterSuffix } from './topics.ts';

/**
 * Handles one batch of one partition to its end: every event is handled or lies in the dead-letter topic when it
 * resolves, and when it rejects the whole batch comes again.
 *
 * A failure that may pass is tried again in place with back-off. A batch that is refused for good is taken apart, one
 * event at a time, to find who is to blame. A fault of the program (a TypeError and the like) counts as a refusal after
 * a second try: it would fail the same event for ever and hold up its partition.
 *
 * Any other failure that lasts may be the event's or the world's. The batch is taken apart too, and the event is to blame
 * when it fails alone, others are handled alone after it, and it fails once more; where none is handled, the world is,
 * and the batch comes again. An event that comes again and again with nobody beside it to compare with (alone, or before
 * others of its key, which wait for it) is set aside at last as well. But a failure that says of itself that it may pass
 * (what is used is away or took too long, or what became of a commit is unknown) blames nobody, however often it comes:
 * the neighbours are handled, and the batch comes again, because what it carries may be a bill.
 */
export interface BatchHandlerOptions {
  groupId: string;
  producer: EventProducer;
  logger: Logger;
  registry: Registry;
  clock: Clock;
  /** Called after each attempt, whatever came of it: somebody is at work. */
  onAttempt(topic: string, partition: number): void;
}

export type HandleBatch = (
  // biome-ignore lint/suspicious/noExplicitAny: subscriptions of different events meet here
  subscription: Subscription<any>,
  partition: number,
  messages: readonly KafkaMessage[],
  /** False once the consumer stops: no further attempts then. */
  isRunning: () => boolean,
) => Promise<void>;

const attemptsInPlace = 5;
const attemptsAtProgramFault = 2;
/** Of an event alone, after its batch has failed {@link attemptsInPlace} times. */
const attemptsAlone = 2;
/** Events that fail alone, one after the other from the first, before the world is to blame. */
const suspectsWithoutWitness = 3;
/** How often an event without company comes again before it is set aside: minutes, with the waits between. */
const roundsAlone = 10;
const deadLetterTimeoutMs = 10_000;

interface Readable {
  message: KafkaMessage;
  received: Received<unknown>;
}

interface Poisonous {
  message: KafkaMessage;
  reason: string;
}

export function createBatchHandler(options: BatchHandlerOptions): HandleBatch {
  const { groupId, logger, clock, registry } = options;
  const outcomes = shared(registry, 'kafka_consumed_total', () => {
    const labelNames = ['topic', 'outcome'] as const;
    const help = 'Events consumed: handled, dead_lettered, or failed (and coming again)';
    return new Counter({ name: 'kafka_consumed_total', help, labelNames, registers: [registry] });
  });
  const batchSize = shared(registry, 'kafka_consume_batch_events', () => {
    const [name, help] = ['kafka_consume_batch_events', 'Events handed to a handler at once'];
    const buckets = [1, 3, 10, 30, 100, 300, 1_000];
    return new Histogram({ name, help, labelNames: ['topic'] as const, buckets, registers: [registry] });
  });

  const rounds = new Map<string, { offset: string; count: number }>();

  return async (subscription, partition, messages, isRunning) => {
    const { topic } = subscription.type;
    /** True once an event without company has come again often enough. */
    const lasts = (number: number, { offset }: KafkaMessage): boolean => {
      const name = `${topic}/${number}`;
      const before = rounds.get(name);
      const count = before?.offset === offset ? before.count + 1 : 1;
      rounds.set(name, { offset, count });
      return count > roundsAlone;
    };

    const attempt = async (events: Readable[], attemptsMax = attemptsInPlace) => {
      for (let tries = 1; ; tries++) {
        try {
          return await subscription.handle(events.map(({ received }) => received));
        } catch (error) {
          const allowed = isProgramFault(error) ? attemptsAtProgramFault : attemptsMax;
          if (isPermanent(error) || tries >= allowed || !isRunning()) throw error;
          const requestIds = distinctIds(events.map(({ received }) => received.meta.requestId));
          const fields = { groupId, topic, partition, tries, requestIds };
          logger.warn({ ...fields, err: error }, 'events were not handled; trying again');
        } finally {
          options.onAttempt(topic, partition);
        }
        await clock.sleep(Math.min(2_000, 50 * 2 ** tries) * (0.5 + Math.random()));
      }
    };

    /** Resolves with the events that were refused; a failure that is not known to be an event's rejects. */
    const handleOrBlame = async (events: Readable[]): Promise<Poisonous[]> => {
      const [first] = events;
      if (!first) return [];
      try {
        await attempt(events);
        return [];
      } catch (error) {
        if (!isRunning() || isAway(error)) throw error;
        if (events.length > 1) return findToBlame(events);
        if (!isOwnFault(error) && (isRetryable(error) || !lasts(partition, first.message))) throw error;
        return [{ message: first.message, reason: reasonOf(error) }];
      }
    };

    const findToBlame = async (events: readonly Readable[]): Promise<Poisonous[]> => {
      const refused: Poisonous[] = [];
      /** By key, a suspect and what follows it: events of a key stay in order. */
      const held = new Map<string, Readable[]>();
      let witnesses = 0;
      /** The failure of one event, or undefined when it was handled. */
      const tryAlone = async (event: Readable): Promise<unknown> => {
        try {
          await attempt([event], attemptsAlone);
          witnesses += 1;
          return undefined;
        } catch (error) {
          if (!isRunning() || isAway(error)) throw error;
          return error ?? new Error('a failure without a word');
        }
      };
      const refuse = ({ message }: Readable, error: unknown) => refused.push({ message, reason: reasonOf(error) });

      for (const event of events) {
        const behind = held.get(event.received.key);
        if (behind) {
          behind.push(event);
          continue;
        }
        const error = await tryAlone(event);
        if (error === undefined) continue;
        if (isOwnFault(error)) refuse(event, error);
        else held.set(event.received.key, [event]);
        if (witnesses === 0 && held.size >= suspectsWithoutWitness) throw error;
      }
      for (const event of [...held.values()].flat()) {
        const error = await tryAlone(event);
        if (error === undefined) continue;
        const isSuspect = witnesses > 0 || (held.size === 1 && lasts(partition, event.message));
        if (!isOwnFault(error) && (isRetryable(error) || !isSuspect)) throw error;
        refuse(event, error);
      }
      return refused;
    };

    const bury = async ({ message, reason }: Poisonous) => {
      const grave = { topic, partition, groupId, reason };
      const record = deadLetter(message, grave);
      await options.producer.publishRaw(topic + deadLetterSuffix, [record], { timeoutMs: deadLetterTimeoutMs });
      outcomes.inc({ topic, outcome: 'dead_lettered' });
      const fields = { ...grave, offset: message.offset, requestId: headerOf(message, headers.requestId) };
      logger.error(fields, 'an event went to the dead-letter topic');
    };

    const readable: Readable[] = [];
    const poisonous: Poisonous[] = [];
    for (const message of messages) {
      const received = decodeEvent(subscription.type, partition, message);
      if (received instanceof PoisonError) poisonous.push({ message, reason: received.message });
      else readable.push({ message, received });
    }
    batchSize.observe({ topic }, messages.length);
    try {
      // Burials come last: a batch that comes again because its handler failed has not buried anybody yet.
      for (const event of await handleOrBlame(readable)) poisonous.push(event);
      for (const event of poisonous) await bury(event);
    } catch (error) {
      outcomes.inc({ topic, outcome: 'failed' }, messages.length);
      throw error;
    }
    outcomes.inc({ topic, outcome: 'handled' }, messages.length - poisonous.length);
  };
}
