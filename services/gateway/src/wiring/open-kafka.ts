import { kafkaOptions } from '@shopscope/config';
import { createKafka, createProducer } from '@shopscope/kafka';
import { createWorkspaceTurns } from '../endpoints/enrich-stores/workspace-turns.ts';
import type { Context } from './context.ts';

/** With up to this many requests in flight, usage events do not wait for each other. */
const fewRequests = 4;

/** The number of requests that were received and whose response has not ended. */
export interface InFlight {
  count: number;
}

export type OpenedKafka = ReturnType<typeof openKafka>;

/** Opens Kafka, and the producers of the events that requests wait for. A failure of a test topic affects no live event. */
export function openKafka({ config, clock, logger, registry, resources }: Context) {
  const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
  resources.onStop('kafka', () => kafka.close());
  const inFlight: InFlight = { count: 0 };
  const createTurns = () => createWorkspaceTurns({ clock, replicas: config.REPLICAS });
  const turns = { live: createTurns(), test: createTurns() };
  // Callers wait for these events, so a few ms have to suffice: events that arrive during a request to Kafka form a batch anyway. No event
  // waits if every request in flight has one, or if so few are in flight that a batch would save little. Batches that wait for
  // their turn will not have an event soon.
  const isLast = (queued: number) => {
    const expected = inFlight.count - turns.live.waiting - turns.test.waiting;
    return queued >= expected || expected <= fewRequests;
  };
  const producer = createProducer(kafka, { lingerMs: 3, isLast });
  resources.onStop('kafka producer', () => producer.close());
  const testProducer = createProducer(kafka, { lingerMs: 0, bestEffort: true });
  resources.onStop('kafka producer of the test tenant', () => testProducer.close());
  return { kafka, producers: { live: producer, test: testProducer }, inFlight, turns };
}
