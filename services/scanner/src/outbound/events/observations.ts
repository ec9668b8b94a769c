import { type EventProducer, type Kafka, TopicsDifferError } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted, permitHeader, topicsOf } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

export type ObservationPublisher = ReturnType<typeof createObservationPublisher>;

export function createObservationPublisher(
  kafka: Kafka,
  producer: EventProducer,
  options: {
    timeoutMs: number;
    /** Called if the topic's settings differ from its definition, see `Kafka.ensureTopics`. */
    onFatal(error: unknown): void;
  },
) {
  const { topic } = observationCompleted;
  let topicExists = false;
  let probing: Promise<void> | undefined;

  const rethrow = (error: unknown) => {
    if (error instanceof TopicsDifferError) options.onFatal(error);
    throw error;
  };
  const probe = async () => {
    if (topicExists) await kafka.endOffsets(topic);
    else await kafka.ensureTopics(topicsOf(observationCompleted)).catch(rethrow);
    topicExists = true;
  };
  return {
    /** Resolves when the observation is durable. `permit` is the permit of its lease. */
    publish: (observation: ObservationCompleted, origin: Origin, permit: string): Promise<void> =>
      producer.publish(observationCompleted, observation, origin, {
        timeoutMs: options.timeoutMs,
        headers: { [permitHeader]: permit },
      }),
    /** Rejects while Kafka is unavailable. It calls the broker only if the last attempt failed. */
    ready: async (): Promise<void> => {
      if (topicExists && producer.available) return;
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      await probing;
    },
    /** Whether the last attempt succeeded. It makes no call. */
    get available() {
      return topicExists && producer.available;
    },
  };
}
