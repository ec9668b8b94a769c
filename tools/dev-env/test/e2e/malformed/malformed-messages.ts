import type { UnaryDefinition } from '@shopscope/grpc';

/** One message as bytes. */
export interface MalformedMessage {
  name: string;
  bytes: Buffer;
  /** Whether no decoder can read it. */
  isUndecodable?: true;
}

type Method = UnaryDefinition[string];

const long = 'x'.repeat(100_000);
const maxMany = 20_000;

/**
 * Returns malformed messages of a method: bytes that no decoder reads, and the valid message with each of its values
 * replaced by one out of range. Equal valid messages give equal malformed messages.
 */
export function malformedMessages(method: Method, valid: object): MalformedMessage[] {
  const bytes = Buffer.from(method.requestSerialize(valid));
  const messages: MalformedMessage[] = [
    { name: 'an empty message', bytes: Buffer.alloc(0) },
    { name: 'a message with unknown fields', bytes: Buffer.concat([bytes, Buffer.from([0xfa, 0x7f, 2, 1, 1])]) },
    { name: 'a message twice', bytes: Buffer.concat([bytes, bytes]) },
    ...undecodable(bytes),
  ];
  for (const { path, value } of leavesOf(valid)) {
    for (const [name, replacement] of replacementsOf(value)) {
      const message = serialized(method, replaced(valid, path, replacement));
      if (message) messages.push({ name: `${name} as ${path.join('.')}`, bytes: message });
    }
  }
  return messages;
}

function undecodable(valid: Buffer): MalformedMessage[] {
  const broken: Record<string, Buffer> = {
    'bytes of ones': Buffer.alloc(64, 0xff),
    'an endless number': Buffer.from([0x08, ...Array(20).fill(0x80)]),
    'a length beyond the message': Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f]),
    'a field without a value': Buffer.from([0x0a]),
    'a number of 64 bits that is too large': Buffer.from([0xf9, 0x7f, 1]),
    'an unknown type of field': Buffer.from([0x0f, 1]),
    'an end without a group': Buffer.concat([valid, Buffer.from([0x0a, 5, 1])]),
    'groups of 5,000 levels': Buffer.alloc(5_000, 0x0b),
    noise: noise(200),
  };
  return Object.entries(broken).map(([name, bytes]) => ({ name, bytes, isUndecodable: true }));
}

/** Returns the same bytes in each run, from a linear congruential generator. The first one is not a valid tag. */
function noise(length: number): Buffer {
  let state = 42;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state >>> 16;
  };
  return Buffer.from([0x07, ...Array.from({ length }, () => next() & 255)]);
}

type Path = (string | number)[];

/** Returns the values in a message. For a list, these are its first item and the list itself. */
function leavesOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (Array.isArray(value)) return [{ path, value }, ...(value.length > 0 ? leavesOf(value[0], [...path, 0]) : [])];
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [{ path, value }];
  const members = Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
  return path.length > 0 ? [{ path, value }, ...members] : members;
}

function replacementsOf(value: unknown): [string, unknown][] {
  if (typeof value === 'string') {
    return [
      ['no text', ''],
      ['a space', ' '],
      ['100,000 characters', long],
      ['a NUL', 'a\0b'],
      ['an inherited name', '__proto__'],
      ['half a character', 'a\ud800'],
      ['another id', 'ws_00000000000000000000000000'],
      ['an operator of the database', '$where'],
      ['text after the text', `${value}\u202ex`],
    ];
  }
  if (typeof value === 'number') {
    return [
      ['-1', -1],
      ['zero', 0],
      ['half', 0.5],
      ['NaN', Number.NaN],
      ['infinity', Number.POSITIVE_INFINITY],
      ['99', 99],
      ['2^31 - 1', 2 ** 31 - 1],
      ['the largest safe number', Number.MAX_SAFE_INTEGER],
      ['the smallest safe number', Number.MIN_SAFE_INTEGER],
    ];
  }
  if (Buffer.isBuffer(value)) {
    return [
      ['no bytes', Buffer.alloc(0)],
      ['a byte', Buffer.from([0xff])],
      ['100,000 bytes', Buffer.alloc(100_000, 0xff)],
    ];
  }
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    const repeated = first === undefined ? [] : ([['a long list', Array(maxMany).fill(first)]] as [string, unknown][]);
    return [['no list', []], ...repeated];
  }
  return [['nothing', undefined]];
}

function replaced(value: unknown, [head, ...rest]: Path, replacement: unknown): object {
  if (head === undefined) return replacement as object;
  if (Array.isArray(value)) return [replaced(value[0], rest, replacement), ...value.slice(1)];
  const object = value as Record<string, unknown>;
  return { ...object, [head]: replaced(object[head], rest, replacement) };
}

/** Returns undefined if the client itself refuses the value, so that it cannot be sent. */
function serialized(method: Method, message: object): Buffer | undefined {
  try {
    return Buffer.from(method.requestSerialize(message));
  } catch {
    return undefined;
  }
}
