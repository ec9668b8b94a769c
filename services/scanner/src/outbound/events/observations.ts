import type { EventProducer, Kafka } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted, topics } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export interface ObservationPublisher {
  /** Resolves when the observation is durable. */
  publish(observation: ObservationCompleted, origin: Origin): Promise<void>;
  /** Rejects while an observation could not be published; asks the broker when the last attempt failed. */
  ready(): Promise<void>;
  /** What is known without asking. */
  readonly available: boolean;
}

export function createObservationPublisher(
  kafka: Kafka,
  producer: EventProducer,
  options: { timeoutMs: number },
): ObservationPublisher {
  const { topic } = observationCompleted;
  let topicThere = false;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    if (!topicThere) await kafka.ensureTopics(topics.filter((definition) => definition.topic === topic));
    else await kafka.endOffsets(topic);
    topicThere = true;
  };
  return {
    publish: (observation, origin) =>
      producer.publish(observationCompleted, observation, origin, { timeoutMs: options.timeoutMs }),
    ready: async () => {
      if (topicThere && producer.available) return;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    },
    get available() {
      return topicThere && producer.available;
    },
  };
}
