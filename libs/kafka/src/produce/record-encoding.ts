/**
 * Encodes records with one buffer per record, and one buffer per batch of a partition.
 *
 * - kafkajs 2.2.4 creates a zeroed buffer of 512 bytes for each record and each header, an array and a buffer for each number, and big
 *   integers for each time. It copies a batch four times, and its checksum reads one byte at a time.
 * - Its encoders took a tenth of the CPU of a gateway under load, and 7 µs per record in small batches. The encoded bytes are the same.
 */
export interface RecordFields {
  offsetDelta?: number;
  key?: Buffer | string | null;
  value?: Buffer | string | null;
  headers?: Readonly<Record<string, Buffer | string>>;
}

export function encodeRecord({ offsetDelta = 0, key, value, headers = {} }: RecordFields): Buffer {
  const pairs = Object.entries(headers);
  // The record starts with an attribute byte, whose bits are unused, and the difference to the batch's time, which is 0.
  let bodyBytes = 2 + sizeOfVarInt(offsetDelta) + sizeOfField(key) + sizeOfField(value);
  bodyBytes += sizeOfVarInt(pairs.length);
  for (const [name, one] of pairs) bodyBytes += sizeOfField(name) + sizeOfField(one);

  const buf = Buffer.allocUnsafe(sizeOfVarInt(bodyBytes) + bodyBytes);
  let at = writeVarInt(buf, bodyBytes, 0);
  buf[at++] = 0;
  buf[at++] = 0;
  at = writeVarInt(buf, offsetDelta, at);
  at = writeField(buf, key, at);
  at = writeField(buf, value, at);
  at = writeVarInt(buf, pairs.length, at);
  for (const [name, one] of pairs) at = writeField(buf, one, writeField(buf, name, at));
  return buf;
}

type Field = Buffer | string | null | undefined;

const byteLength = (field: Buffer | string) => (typeof field === 'string' ? Buffer.byteLength(field) : field.length);

function sizeOfField(field: Field): number {
  if (field === null || field === undefined) return 1;
  const bytes = byteLength(field);
  return sizeOfVarInt(bytes) + bytes;
}

/** Writes a field with its length. A missing field has the length -1. */
function writeField(buf: Buffer, field: Field, start: number): number {
  if (field === null || field === undefined) return writeVarInt(buf, -1, start);
  const at = writeVarInt(buf, byteLength(field), start);
  return at + (typeof field === 'string' ? buf.write(field, at) : field.copy(buf, at));
}

/** Zigzag encoding. It multiplies instead of shifting, because shifts keep 32 bits. */
const zigZag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);

function sizeOfVarInt(value: number): number {
  let bytes = 1;
  for (let rest = zigZag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

function writeVarInt(buf: Buffer, value: number, start: number): number {
  let at = start;
  let rest = zigZag(value);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buf[at++] = (rest % 0x80) | 0x80;
  buf[at++] = rest;
  return at;
}

/** A batch of one partition. Producers of this library use neither compression nor Kafka's transactions. */
export interface BatchFields {
  records: readonly Buffer[];
  /** The time of all records. */
  timestampMs: number;
  producerId: bigint;
  producerEpoch: number;
  firstSequence: number;
}

/** The positions of the fields in a batch, see https://kafka.apache.org/documentation/#recordbatch */
const place = {
  length: 8,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
} as const;
const producerPlace = { id: 43, epoch: 51, sequence: 53, count: 57, records: 61 } as const;
const magic = 2;

export function encodeRecordBatch(fields: BatchFields): Buffer {
  const { records, producerId } = fields;
  let bytes: number = producerPlace.records;
  for (const record of records) bytes += record.length;
  const buf = Buffer.allocUnsafe(bytes);
  // The first offset, the leader's epoch and the attributes are 0.
  buf.fill(0, 0, place.lastOffsetDelta);
  buf.writeInt32BE(bytes - place.length - 4, place.length);
  buf[place.magic] = magic;
  buf.writeInt32BE(records.length - 1, place.lastOffsetDelta);
  writeInt64(buf, fields.timestampMs, place.firstTimestamp);
  writeInt64(buf, fields.timestampMs, place.maxTimestamp);
  buf.writeBigInt64BE(producerId, producerPlace.id);
  buf.writeInt16BE(fields.producerEpoch, producerPlace.epoch);
  buf.writeInt32BE(fields.firstSequence, producerPlace.sequence);
  buf.writeInt32BE(records.length, producerPlace.count);
  let at: number = producerPlace.records;
  for (const record of records) at += record.copy(buf, at);
  buf.writeUInt32BE(crc32c(buf, place.attributes), place.crc);
  return buf;
}

/** Times are positive and exact. */
function writeInt64(buf: Buffer, value: number, at: number): void {
  buf.writeUInt32BE(Math.floor(value / 2 ** 32), at);
  buf.writeUInt32BE(value % 2 ** 32, at + 4);
}

/** `crcTables[n][byte]` is the checksum of a byte that is followed by n zero bytes. */
const crcTables = makeCrcTables();

function makeCrcTables(): Int32Array[] {
  const first = new Int32Array(256).map((_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    return crc;
  });
  const tables = [first];
  for (let n = 1; n < 8; n++) {
    const before = tables[n - 1] as Int32Array;
    tables.push(before.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] as number)));
  }
  return tables;
}

/** Returns the CRC-32C of the bytes from `start` on. It reads eight bytes at a time. */
export function crc32c(buf: Buffer, start = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables as [
    ...[Int32Array, Int32Array, Int32Array, Int32Array],
    ...[Int32Array, Int32Array, Int32Array, Int32Array],
  ];
  let crc = -1;
  let at = start;
  for (; at + 8 <= buf.length; at += 8) {
    const low = crc ^ buf.readInt32LE(at);
    const high = buf.readInt32LE(at + 4);
    crc =
      (t7[low & 0xff] as number) ^
      (t6[(low >>> 8) & 0xff] as number) ^
      (t5[(low >>> 16) & 0xff] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[high & 0xff] as number) ^
      (t2[(high >>> 8) & 0xff] as number) ^
      (t1[(high >>> 16) & 0xff] as number) ^
      (t0[high >>> 24] as number);
  }
  for (; at < buf.length; at++) crc = (crc >>> 8) ^ (t0[(crc ^ (buf[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
