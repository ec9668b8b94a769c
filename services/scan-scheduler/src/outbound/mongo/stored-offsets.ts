import type { Offsets } from '@shopscope/kafka';
import { Long } from 'mongodb';

/** Kafka offsets by partition, in the form in which MongoDB documents store them. */
export type StoredOffsets = { partition: number; offset: Long }[];

export function toStoredOffsets(offsets: Offsets): StoredOffsets {
  return [...offsets].map(([partition, offset]) => ({ partition, offset: Long.fromBigInt(offset) }));
}

/** The driver returns a 64-bit integer as a number if a number can represent it exactly, and otherwise as a Long. */
export function fromStoredOffsets(stored: readonly { partition: number; offset: Long | number }[]): Offsets {
  return new Map(stored.map(({ partition, offset }) => [partition, BigInt(offset.toString())]));
}
