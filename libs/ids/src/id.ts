import { hash, randomBytes } from 'node:crypto';

/**
 * Identifiers: a type prefix and 26 lower-case Crockford base32 characters.
 *
 * - New ids start with 48 bits of milliseconds. They therefore sort by creation time.
 * - Ids of workspaces are random, because they lead shard keys. If they grew with time, one shard would get all new workspaces.
 * - Derived ids are a hash of their parts. Every process therefore derives the same id.
 */
export const idPrefixes = [
  'req',
  'key',
  'ws',
  'usr',
  'bg',
  'sf',
  'evt',
  'job',
  'scan',
  'chg',
  'exe',
  'lse',
  'aud',
  'lst',
  'wl',
  'whk',
  'dlv',
  'edn',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/**
 * Whether a text has the form of an identifier: 1 to 100 characters out of `A-Z`, `a-z`, `0-9`, `_` and `-`. Identifiers that callers
 * choose must have this form, too.
 */
export const isIdentifier = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

const crockfordAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Encodes bytes as base32 without padding. `alphabet` has 32 characters; the default is Crockford's, in lower case. */
export function base32(bytes: Uint8Array, alphabet: string = crockfordAlphabet): string {
  let bits = 0;
  let value = 0;
  let out = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += alphabet[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + alphabet[(value << (5 - bits)) & 31] : out;
}

// Random bytes come from a pool of 4 KiB, so that one system call is enough for many ids.
let pool = Buffer.alloc(0);
let poolOffset = 0;

function random(bytes: number): Uint8Array {
  if (poolOffset + bytes > pool.length) {
    pool = randomBytes(4096);
    poolOffset = 0;
  }
  poolOffset += bytes;
  return pool.subarray(poolOffset - bytes, poolOffset);
}

/** Creates an id, for example `req_01jd4x…`. `nowMs` is wall-clock time. */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  if (prefix === 'ws') return `${prefix}_${base32(random(17)).slice(0, 26)}`;
  let time = '';
  let rest = nowMs;
  for (let i = 0; i < 10; i++) {
    time = (crockfordAlphabet[rest % 32] as string) + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}${base32(random(10))}`;
}

/**
 * Derives the same id from the same parts in every process. Parts are length-prefixed, so different lists of parts never have the same
 * encoding.
 */
export function deriveId(prefix: IdPrefix, ...parts: string[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('|');
  return `${prefix}_${base32(hash('sha256', text, 'buffer').subarray(0, 17)).slice(0, 26)}`;
}

/** Creates a W3C `traceparent` for a new trace. */
export function newTraceparent(sampled = false): string {
  const bytes = Buffer.from(random(24)).toString('hex');
  return `00-${bytes.slice(0, 32)}-${bytes.slice(32)}-${sampled ? '01' : '00'}`;
}
