import type { Clock } from '@shopscope/clock';
import { isRetryable } from '@shopscope/errors';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { KafkaMessage } from 'kafkajs';
import { type DeadLetterOrigin, deadLetterRecord } from './dead-letters.ts';
import { decodeEvent, headerOf } from './decode.ts';
import { headers, PoisonError, type Received, type Subscription } from './event-type.ts';
import { isPermanent, isProgramError, isRejected, isUnavailable, reasonOf } from './faults.ts';
import type { EventProducer } from './producer.ts';
import { distinctIds } from './request-ids.ts';
import { deadLetterSuffix } from './topics.ts';

/**
 * Handles one batch of one partition. It resolves when every event is handled or durable in the dead-letter topic. When it rejects, the
 * whole batch is delivered again.
 *
 * - An event cannot be decoded, or the subscription refuses it -> dead letter. The handler never receives it. The dead letter is published
 *   after the other events are handled.
 *
 * Retries: a failed batch is retried in place with back-off, for at most five attempts. After a program error (for example a TypeError) the
 * batch is retried once. Then its events are handled one by one, which isolates the failing event:
 *
 * - The handler rejects an event (PoisonError or `invalid_request`), or the event causes a program error again -> dead letter. The event
 *   would fail every time and block its partition.
 * - An event fails for another reason, other events succeed alone, and the event fails once more -> dead letter.
 * - No event succeeds alone -> the batch is delivered again, because the cause is probably not an event.
 * - An event has no other event to compare with (it is alone in the batch, or all others have its key and wait for it) -> dead letter after
 *   {@link maxDeliveriesAlone} deliveries.
 * - A server that the handler uses is unavailable -> no isolation. The batch is delivered again.
 * - The failure is retryable (a time limit passed, or a commit's outcome is unknown) -> never a dead letter, because the event may be a
 *   charge. The other events are handled, and the batch is delivered again.
 *
 * Order: events of one key stay in order. The events that follow a failing event and have its key wait until it is handled or rejected.
 */
export interface BatchHandlerOptions {
  groupId: string;
  producer: EventProducer;
  logger: Logger;
  registry: Registry;
  clock: Clock;
  /** Called after each attempt, whether it succeeded or failed. Each call counts as progress of the consumer. */
  onAttempt(topic: string, partition: number): void;
}

export type HandleBatch = (
  // biome-ignore lint/suspicious/noExplicitAny: the batches belong to subscriptions of different events
  subscription: Subscription<any>,
  partition: number,
  messages: readonly KafkaMessage[],
  /** Returns false once the consumer stops. Then no further attempt starts. */
  isRunning: () => boolean,
) => Promise<void>;

const attemptsInPlace = 5;
const attemptsAtProgramError = 2;
/** The maximum number of attempts each time an event is handled alone. */
const attemptsAlone = 2;
/** Isolation ends when this many events have failed alone and none has succeeded. The cause is then probably not an event. */
const maxFailuresWithoutSuccess = 3;
/**
 * The maximum number of deliveries of an event that has no other event to compare with. These deliveries take minutes, because the consumer
 * pauses between them.
 */
const maxDeliveriesAlone = 10;
const deadLetterTimeoutMs = 10_000;

interface Decoded {
  message: KafkaMessage;
  received: Received<unknown>;
}

interface Rejected {
  message: KafkaMessage;
  reason: string;
}

export function createBatchHandler(options: BatchHandlerOptions): HandleBatch {
  const { groupId, logger, clock, registry } = options;
  const { counter, histogram } = metricsOf(registry);
  const help = 'Events consumed: handled, dead_lettered, or failed (delivered again)';
  const outcomes = counter('kafka_consumed_total', help, ['topic', 'outcome']);
  const sizes = [1, 3, 10, 30, 100, 300, 1_000];
  const batchSize = histogram('kafka_consume_batch_events', 'Events handed to a handler at once', sizes, ['topic']);

  const deliveries = new Map<string, { offset: string; count: number }>();

  return async (subscription, partition, messages, isRunning) => {
    const { topic } = subscription.type;
    /**
     * Counts the deliveries of an event that has no other event to compare with. Returns true after more than
     * {@link maxDeliveriesAlone} deliveries.
     */
    const failsRepeatedly = (number: number, { offset }: KafkaMessage): boolean => {
      const name = `${topic}/${number}`;
      const before = deliveries.get(name);
      const count = before?.offset === offset ? before.count + 1 : 1;
      deliveries.set(name, { offset, count });
      return count > maxDeliveriesAlone;
    };

    const attempt = async (events: Decoded[], maxAttempts = attemptsInPlace) => {
      for (let tries = 1; ; tries++) {
        try {
          return await subscription.handle(events.map(({ received }) => received));
        } catch (error) {
          const allowed = isProgramError(error) ? attemptsAtProgramError : maxAttempts;
          if (isRejected(error) || tries >= allowed || !isRunning()) throw error;
          const requestIds = distinctIds(events.map(({ received }) => received.meta.requestId));
          const fields = { groupId, topic, partition, tries, requestIds };
          logger.warn({ ...fields, err: error }, 'events were not handled; trying again');
        } finally {
          options.onAttempt(topic, partition);
        }
        await clock.sleep(Math.min(2_000, 50 * 2 ** tries) * (0.5 + Math.random()));
      }
    };

    /** Resolves with the events for the dead-letter topic. Rejects if the whole batch must be delivered again. */
    const handleOrIsolate = async (events: Decoded[]): Promise<Rejected[]> => {
      const [first] = events;
      if (!first) return [];
      try {
        await attempt(events);
        return [];
      } catch (error) {
        if (!isRunning() || isUnavailable(error)) throw error;
        if (events.length > 1) return isolateFailingEvent(events);
        if (!isPermanent(error) && (isRetryable(error) || !failsRepeatedly(partition, first.message))) throw error;
        return [{ message: first.message, reason: reasonOf(error) }];
      }
    };

    const isolateFailingEvent = async (events: readonly Decoded[]): Promise<Rejected[]> => {
      const rejected: Rejected[] = [];
      /** For each key, the event that failed and the later events of that key. This keeps the events of one key in order. */
      const heldByKey = new Map<string, Decoded[]>();
      let succeededAlone = 0;
      /** Resolves with the error of the event, or with undefined if the event was handled. */
      const handleAlone = async (event: Decoded): Promise<unknown> => {
        try {
          await attempt([event], attemptsAlone);
          succeededAlone += 1;
          return undefined;
        } catch (error) {
          if (!isRunning() || isUnavailable(error)) throw error;
          return error ?? new Error('the handler failed without an error');
        }
      };
      const reject = ({ message }: Decoded, error: unknown) => rejected.push({ message, reason: reasonOf(error) });

      for (const event of events) {
        const behind = heldByKey.get(event.received.key);
        if (behind) {
          behind.push(event);
          continue;
        }
        const error = await handleAlone(event);
        if (error === undefined) continue;
        if (isPermanent(error)) reject(event, error);
        else heldByKey.set(event.received.key, [event]);
        if (succeededAlone === 0 && heldByKey.size >= maxFailuresWithoutSuccess) throw error;
      }
      for (const event of [...heldByKey.values()].flat()) {
        const error = await handleAlone(event);
        if (error === undefined) continue;
        const isItsFailure = succeededAlone > 0 || (heldByKey.size === 1 && failsRepeatedly(partition, event.message));
        if (!isPermanent(error) && (isRetryable(error) || !isItsFailure)) throw error;
        reject(event, error);
      }
      return rejected;
    };

    /** Resolves when all dead letters are durable. Their maximum number is the size of the batch. The producer splits them into requests. */
    const deadLetter = async (events: readonly Rejected[]) => {
      const letters = events.map(({ message, reason }) => {
        const origin: DeadLetterOrigin = { topic, partition, groupId, reason };
        return { message, origin, record: deadLetterRecord(message, origin) };
      });
      const records = letters.map(({ record }) => record);
      await options.producer.publishRaw(topic + deadLetterSuffix, records, { timeoutMs: deadLetterTimeoutMs });
      outcomes.inc({ topic, outcome: 'dead_lettered' }, letters.length);
      for (const { message, origin } of letters) {
        const fields = { ...origin, offset: message.offset, requestId: headerOf(message, headers.requestId) };
        logger.error(fields, 'an event went to the dead-letter topic');
      }
    };

    const decoded: Decoded[] = [];
    const rejected: Rejected[] = [];
    for (const message of messages) {
      const received = decodeEvent(subscription.type, partition, message);
      if (received instanceof PoisonError) rejected.push({ message, reason: received.message });
      else {
        const refusal = await subscription.refusalOf?.(received);
        if (refusal === undefined) decoded.push({ message, received });
        else rejected.push({ message, reason: refusal });
      }
    }
    batchSize.observe({ topic }, messages.length);
    try {
      // Dead letters are published last. If the handler fails, no dead letter is published, and the batch is delivered again.
      for (const event of await handleOrIsolate(decoded)) rejected.push(event);
      if (rejected.length > 0) await deadLetter(rejected);
    } catch (error) {
      outcomes.inc({ topic, outcome: 'failed' }, messages.length);
      throw error;
    }
    outcomes.inc({ topic, outcome: 'handled' }, messages.length - rejected.length);
  };
}
