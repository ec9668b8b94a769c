import type { KafkaMessage } from 'kafkajs';

/** The maximum bytes of the values in a batch of several events. Decoding them blocks the process for some milliseconds. */
const maxBatchBytes = 512 * 1024;

/** Splits the messages, in order, into batches of at most `maxEvents` and {@link maxBatchBytes}. Each batch has at least one message. */
export function splitMessages(messages: readonly KafkaMessage[], maxEvents: number): KafkaMessage[][] {
  const batches: KafkaMessage[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = message.value?.length ?? 0;
    const current = batches.at(-1);
    bytes += size;
    if (current && current.length < maxEvents && bytes <= maxBatchBytes) current.push(message);
    else {
      batches.push([message]);
      bytes = size;
    }
  }
  return batches;
}
