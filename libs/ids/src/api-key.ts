import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '@shopscope/environment';

/**
 * API keys: a tag, 34 random base62 characters (the first four are public) and a checksum of 6 characters.
 *
 * - The checksum is the CRC-32 of all characters before it. A mistyped key is refused without a look-up. The checksum is not a security
 *   feature.
 */
export const keyTags = { live: 'svc_live_', test: 'svc_test_' } as const satisfies Record<Environment, string>;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 34;
const publicLength = 4;
const checksumLength = 6;
const pattern = /^svc_(live|test)_[0-9A-Za-z]{40}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < checksumLength; i++) {
    out = base62[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Creates a key. It is stored nowhere, so only the caller has it. */
export function newApiKey(environment: Environment): string {
  let body: string = keyTags[environment];
  for (let i = 0; i < randomLength; i++) body += base62[randomInt(62)];
  return body + checksum(body);
}

export interface ParsedApiKey {
  environment: Environment;
  /** The key prefix: the tag (`svc_live_`) and the first four random characters. It is safe to log. */
  prefix: string;
}

/** Returns the public parts of a well-formed key, or undefined if the key cannot have been issued. It does no I/O. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const body = text.slice(0, -checksumLength);
  if (checksum(body) !== text.slice(-checksumLength)) return undefined;
  const environment = match[1] as Environment;
  return { environment, prefix: text.slice(0, keyTags[environment].length + publicLength) };
}

/** Returns the SHA-256 of a key, 32 bytes. The gateway sends it to the keys service in place of the key. */
export function apiKeyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const secretPart = new RegExp(`((?:${Object.values(keyTags).join('|')})[0-9A-Za-z]{${publicLength}})[0-9A-Za-z]+`, 'g');

/** Truncates every API key in `text` to its prefix, even if the key is already truncated. For log lines. */
export function redactApiKeys(text: string): string {
  return text.includes('svc_') ? text.replaceAll(secretPart, '$1…') : text;
}
