import type { EventProducer, Kafka } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted, permitHeader, topics } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export interface ObservationPublisher {
  /** Resolves when the observation is durable. `permit`: of its lease. */
  publish(observation: ObservationCompleted, origin: Origin, permit: string): Promise<void>;
  /** Rejects while Kafka is unavailable. Calls the broker only when the last attempt failed. */
  ready(): Promise<void>;
  /** The outcome of the last attempt, without a call. */
  readonly available: boolean;
}

export function createObservationPublisher(
  kafka: Kafka,
  producer: EventProducer,
  options: { timeoutMs: number },
): ObservationPublisher {
  const { topic } = observationCompleted;
  let topicExists = false;
  let probing: Promise<void> | undefined;

  const probe = async () => {
    if (!topicExists) await kafka.ensureTopics(topics.filter((definition) => definition.topic === topic));
    else await kafka.endOffsets(topic);
    topicExists = true;
  };
  return {
    publish: (observation, origin, permit) =>
      producer.publish(observationCompleted, observation, origin, {
        timeoutMs: options.timeoutMs,
        headers: { [permitHeader]: permit },
      }),
    ready: async () => {
      if (topicExists && producer.available) return;
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      await probing;
    },
    get available() {
      return topicExists && producer.available;
    },
  };
}
