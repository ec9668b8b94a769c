/** The number of hash slots of Redis Cluster. */
export const clusterSlots = 16_384;

/** The hash slot of a key: of its hash tag, the text between the first braces, if it has one. */
export function slotOf(key: string): number {
  const begin = key.indexOf('{') + 1;
  const end = begin > 0 ? key.indexOf('}', begin) : -1;
  return crc16(end > begin ? key.slice(begin, end) : key) % clusterSlots;
}

/** CRC16 of XMODEM, as the cluster specification of Redis defines it. */
const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) crc = ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] as number);
  return crc;
}

let tags: readonly string[] | undefined;

/** A hash tag of this slot: the smallest number whose text has the slot. The numbers of all slots are found at the first call. */
export function tagOfSlot(slot: number): string {
  tags ??= findTags();
  return tags[slot] as string;
}

function findTags(): string[] {
  const found: string[] = [];
  for (let number = 0, missing = clusterSlots; missing > 0; number++) {
    const tag = String(number);
    const slot = slotOf(tag);
    if (found[slot] !== undefined) continue;
    found[slot] = tag;
    missing--;
  }
  return found;
}
