import type { EventProducer } from '@shopscope/kafka';
import { type ScanRequested, scanRequested, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/** The events that the gateway publishes. Each promise resolves when its events are durable. */
export interface EventPublisher {
  publishUsage(event: UsageRecorded, origin: Origin, timeoutMs: number): Promise<void>;
  publishScans(events: readonly ScanRequested[], origin: Origin, timeoutMs: number): Promise<void>;
  /** False while the circuit breaker of Kafka is open. */
  readonly available: boolean;
}

export function createEventPublisher(producer: EventProducer): EventPublisher {
  return {
    publishUsage: (event, origin, timeoutMs) => producer.publish(usageRecorded, event, origin, { timeoutMs }),
    publishScans: (events, origin, timeoutMs) => producer.publishMany(scanRequested, events, origin, { timeoutMs }),
    get available() {
      return producer.available;
    },
  };
}
