import { createHmac } from 'node:crypto';
import type { NamedSecret } from '@shopscope/config';

/**
 * A secret from the configuration that is part of every key fingerprint. Several peppers can be configured, so that an operator can
 * replace a leaked one while keys continue to work.
 */
export type Pepper = NamedSecret;

/** The first pepper is the current one: new keys are stored under it. Keys under the other peppers also verify, and move to it. */
export type Peppers = readonly [Pepper, ...Pepper[]];

/** The id of a pepper that is configured without an id. */
export const unnamedPepperId = '1';

/**
 * Returns the check value of a pepper, which the database stores: the HMAC-SHA-256 of a fixed text, in hexadecimal. The secret is random
 * and has at least 32 characters, so that it cannot be found from this value.
 */
export const pepperCheckValue = ({ secret }: Pepper): string =>
  createHmac('sha256', secret).update('shopscope pepper check').digest('hex');
