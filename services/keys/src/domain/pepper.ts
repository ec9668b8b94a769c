import { createHmac } from 'node:crypto';
import { secretLengthMin } from '@shopscope/config';

/**
 * A secret from the configuration that is part of every key fingerprint. Several peppers can be configured, so that an operator can
 * replace a leaked one while keys continue to work (decision 22).
 */
export interface Pepper {
  id: string;
  secret: string;
}

/** The first pepper is the current one: new keys are stored under it. Keys under the other peppers also verify, and move to it. */
export type Peppers = readonly [Pepper, ...Pepper[]];

/** The id of a pepper that is configured without an id. */
export const unnamedPepperId = '1';

/** Each pepper costs one HMAC per verification. A rotation needs two peppers. More of them allow a second rotation during the first. */
export const maxPeppers = 4;

const pepperId = /^[a-z0-9][a-z0-9_-]{0,19}$/;

/**
 * Returns the check value of a pepper, which the database stores: the HMAC-SHA-256 of a fixed text, in hexadecimal. The secret is random
 * and has at least {@link secretLengthMin} characters, so that it cannot be found from this value.
 */
export const pepperCheckValue = ({ secret }: Pepper): string =>
  createHmac('sha256', secret).update('shopscope pepper check').digest('hex');

/** Parses entries `id:secret`, separated by commas or line breaks. A problem contains the position of an entry, never its text. */
export function parsePeppers(text: string): { peppers: Pepper[]; problems: string[] } {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const peppers = entries.map((entry) => {
    const colon = entry.indexOf(':');
    return { id: colon < 0 ? '' : entry.slice(0, colon), secret: entry.slice(colon + 1) };
  });
  return { peppers, problems: [...problemsOf(peppers)] };
}

function* problemsOf(peppers: readonly Pepper[]): Generator<string> {
  if (peppers.length === 0) yield 'must have at least one entry id:secret';
  if (peppers.length > maxPeppers) yield `must have at most ${maxPeppers} entries`;
  for (const [index, { id, secret }] of peppers.entries()) {
    const entry = `entry ${index + 1}`;
    const earlier = peppers.slice(0, index);
    if (!pepperId.test(id)) {
      yield `${entry} must be id:secret, with an id of 1 to 20 characters of a-z, 0-9, - and _`;
    } else if (secret.length < secretLengthMin) {
      yield `${entry}: the secret must have at least ${secretLengthMin} characters`;
    } else if (earlier.some((other) => other.id === id)) {
      yield `${entry} has the id of an earlier entry`;
    } else if (earlier.some((other) => other.secret === secret)) {
      yield `${entry} has the secret of an earlier entry`;
    }
  }
}
