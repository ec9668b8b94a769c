import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { Counter, Histogram, type Logger, type Registry } from '@shopscope/telemetry';
import type { KafkaMessage } from 'kafkajs';
import { deadLetter } from './dead-letters.ts';
import { decodeEvent } from './decode.ts';
import { PoisonError, type Received, type Subscription } from './event-type.ts';
import { shared } from './metrics.ts';
import type { EventProducer } from './producer.ts';
import { deadLetterSuffix } from './topics.ts';

/**
 * Handles one batch of one partition to its end: every event is handled or lies in the dead-letter topic when it
 * resolves, and when it rejects the whole batch comes again.
 *
 * A failure that may pass is tried again in place with back-off. A batch that is refused for good is taken apart, one
 * event at a time, to find who is to blame. A fault of the program (a TypeError and the like) counts as a refusal after
 * a second try: it would fail the same event for ever and hold up its partition.
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

  return async (subscription, partition, messages, isRunning) => {
    const { topic } = subscription.type;

    const attempt = async (events: Readable[]) => {
      for (let tries = 1; ; tries++) {
        try {
          return await subscription.handle(events.map(({ received }) => received));
        } catch (error) {
          const allowed = isProgramFault(error) ? attemptsAtProgramFault : attemptsInPlace;
          if (isPermanent(error) || tries >= allowed || !isRunning()) throw error;
          logger.warn({ err: error, groupId, topic, partition, tries }, 'events were not handled; trying again');
        } finally {
          options.onAttempt(topic, partition);
        }
        await clock.sleep(Math.min(2_000, 50 * 2 ** tries) * (0.5 + Math.random()));
      }
    };

    /** Resolves with the events that were refused; a failure that may pass rejects. */
    const handleOrBlame = async (events: Readable[]): Promise<Poisonous[]> => {
      if (events.length === 0) return [];
      try {
        await attempt(events);
        return [];
      } catch (error) {
        const only = events.length === 1 ? events[0] : undefined;
        if (!isPermanent(error) && !isProgramFault(error)) throw error;
        if (only) return [{ message: only.message, reason: reasonOf(error) }];
      }
      const refused: Poisonous[] = [];
      for (const event of events) refused.push(...(await handleOrBlame([event])));
      return refused;
    };

    const bury = async ({ message, reason }: Poisonous) => {
      const grave = { topic, partition, groupId, reason };
      const record = deadLetter(message, grave);
      await options.producer.publishRaw(topic + deadLetterSuffix, [record], { timeoutMs: deadLetterTimeoutMs });
      outcomes.inc({ topic, outcome: 'dead_lettered' });
      logger.error({ ...grave, offset: message.offset }, 'an event went to the dead-letter topic');
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
      poisonous.push(...(await handleOrBlame(readable)));
      for (const event of poisonous) await bury(event);
    } catch (error) {
      outcomes.inc({ topic, outcome: 'failed' }, messages.length);
      throw error;
    }
    outcomes.inc({ topic, outcome: 'handled' }, messages.length - poisonous.length);
  };
}

function isPermanent(error: unknown): boolean {
  return error instanceof PoisonError || (error instanceof AppError && error.code === 'invalid_request');
}

const programFaults = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

function isProgramFault(error: unknown): boolean {
  return error instanceof Error && programFaults.includes(error.name);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
