import { metricsOf, type Registry } from '@shopscope/telemetry';
import type { Batch, FetchedBatch, StepDependencies } from './batch-steps/batch.ts';
import { commitBatch } from './batch-steps/commit-batch.ts';
import { createDeliveryCounts } from './batch-steps/delivery-counts.ts';
import { handleInPlace } from './batch-steps/handle-in-place.ts';
import { isolateFailingEvents } from './batch-steps/isolate-failing-events.ts';
import { publishDeadLetters } from './batch-steps/publish-dead-letters.ts';
import { screenMessages } from './batch-steps/screen-messages.ts';
import { splitMessages } from './batch-steps/split-messages.ts';
import type { Subscription } from './event-type.ts';

export interface BatchChainOptions extends Omit<StepDependencies, 'deliveries' | 'outcomes'> {
  maxEventsPerBatch: number;
  registry: Registry;
}

/** Resolves when the batch is handled and committed, or the consumer stops. When it rejects, the rest of the batch is delivered again. */
export type BatchChain = (
  // biome-ignore lint/suspicious/noExplicitAny: the batches belong to subscriptions of different events
  subscription: Subscription<any>,
  fetched: FetchedBatch,
) => Promise<void>;

/**
 * The steps of every batch of one partition. The order is the guarantee: an offset is committed when every event before it is handled or
 * durable in the dead-letter topic. A step fails -> nothing of the batch is committed, and the batch is delivered again.
 */
export function createBatchChain(options: BatchChainOptions): BatchChain {
  const { outcomes, batchSize } = metricsOfChain(options.registry);
  const deps = { ...options, outcomes, deliveries: createDeliveryCounts() };
  const { groupId: group } = options;

  return async (subscription, fetched) => {
    const { topic } = subscription.type;
    const { partition } = fetched.batch;
    for (const messages of splitMessages(fetched.batch.messages, options.maxEventsPerBatch)) {
      // A stop takes effect between two batches.
      if (!fetched.isRunning() || fetched.isStale()) return;
      const batch: Batch = { subscription, topic, partition, messages, isRunning: fetched.isRunning };
      // Decodes each message and asks the subscription for a refusal. The handler never receives a rejected one.
      const { events, rejected } = await screenMessages(batch);
      batchSize.observe({ topic }, messages.length);
      let letters = rejected;
      try {
        const failure = await handleInPlace(deps, batch, events);
        if (failure) letters = [...rejected, ...(await isolateFailingEvents(deps, batch, events, failure))];
        // Dead letters are published last. If the handler fails, no dead letter is published, and the batch is delivered again.
        await publishDeadLetters(deps, batch, letters);
      } catch (error) {
        outcomes.inc({ group, topic, outcome: 'failed' }, messages.length);
        throw error;
      }
      outcomes.inc({ group, topic, outcome: 'handled' }, messages.length - letters.length);
      await commitBatch(deps, batch, fetched);
      await fetched.heartbeat();
    }
  };
}

function metricsOfChain(registry: Registry) {
  const { counter, histogram } = metricsOf(registry);
  const help = 'Events consumed: handled, dead_lettered, or failed (delivered again)';
  const sizes = [1, 3, 10, 30, 100, 300, 1_000];
  return {
    outcomes: counter('kafka_consumed_total', help, ['group', 'topic', 'outcome']),
    batchSize: histogram('kafka_consume_batch_events', 'Events handed to a handler at once', sizes, ['topic']),
  };
}
