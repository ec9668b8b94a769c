import type { RawRecord } from '../event-type.ts';
import { encodeRecord, encodeRecordBatch } from './record-encoding.ts';

/** The records that one request carries to one partition. A retry carries the same batch. */
export interface PartitionBatch {
  /** The topic's name in the cluster, with the prefix. */
  topic: string;
  partition: number;
  producerId: ProducerId;
  /** The broker recognises a batch that it has already stored by the producer's id and this number. */
  firstSequence: number;
  records: readonly RawRecord[];
}

export interface ProducerId {
  id: bigint;
  epoch: number;
}

/** All in-sync replicas. */
const acks = -1;

/** Encodes the body of a produce request of version 7. kafkajs can encode only requests whose partitions share one producer id. */
export function encodeProduceRequest(
  batches: readonly PartitionBatch[],
  options: { timeoutMs: number; timestampMs: number },
): Buffer {
  const byTopic = Map.groupBy(batches, ({ topic }) => topic);
  // There is no transactional id.
  const parts = [int16(-1), int16(acks), int32(options.timeoutMs), int32(byTopic.size)];
  for (const [topic, each] of byTopic) {
    parts.push(int16(Buffer.byteLength(topic)), Buffer.from(topic), int32(each.length));
    for (const batch of each) {
      const encoded = encodeBatch(batch, options.timestampMs);
      parts.push(int32(batch.partition), int32(encoded.length), encoded);
    }
  }
  return Buffer.concat(parts);
}

const encodeBatch = ({ records, producerId, firstSequence }: PartitionBatch, timestampMs: number): Buffer =>
  encodeRecordBatch({
    records: records.map((record, offsetDelta) =>
      encodeRecord({ ...record, value: bytesOf(record.value), offsetDelta }),
    ),
    timestampMs,
    producerId: producerId.id,
    producerEpoch: producerId.epoch,
    firstSequence,
  });

const bytesOf = (value: Uint8Array | null) => value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}
