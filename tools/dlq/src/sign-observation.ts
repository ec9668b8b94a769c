import {
  createPermitSigner,
  developmentSigningKey,
  isDevelopmentKey,
  type PermitSigningKey,
  parseSigningKey,
} from '@shopscope/ids';
import type { DeadLetter, RawRecord } from '@shopscope/kafka';
import { observationCompleted, permitHeader } from '@shopscope/proto';

/**
 * A dead letter of observations.v1 is published again after the end of its permit. So replay signs it with a key of its own,
 * which profiles has to know (decision 41).
 *
 * - Observation that was refused because of its permit -> unchanged: it may be forged, and profiles checks it again. With
 *   `signRefused` replay signs it too.
 * - Record that cannot be decoded -> unchanged.
 */
export interface SignObservationOptions {
  key: PermitSigningKey;
  signRefused: boolean;
  nowMs(): number;
}

/** The clocks of the operator's machine and of the broker may differ by less. */
const replayPermitMs = 5 * 60_000;
const permitRefused = /^permit refused: /;

export function createObservationSigner({ key, signRefused, nowMs }: SignObservationOptions) {
  const sign = createPermitSigner('replay', key);
  return (record: RawRecord, { reason }: Pick<DeadLetter, 'reason'>): RawRecord => {
    if (permitRefused.test(reason) && !signRefused) return record;
    try {
      const observation = observationCompleted.decode(record.value ?? new Uint8Array());
      const permit = sign(observation, nowMs() + replayPermitMs);
      return { ...record, headers: { ...record.headers, [permitHeader]: permit } };
    } catch {
      return record;
    }
  };
}

/** Throws an error that names the setting. A production system has no key of replay unless an operator sets one. */
export function replaySigningKey(setting: string | undefined, environment: string): PermitSigningKey {
  if (!setting) {
    if (environment !== 'production') return developmentSigningKey('replay');
    throw new Error(
      'Observations are published again with a permit of replay: set REPLAY_SIGNING_KEY, and add its public key to PERMIT_PUBLIC_KEYS of profiles.',
    );
  }
  const parsed = parseSigningKey(setting);
  if (!('key' in parsed)) throw new Error(`REPLAY_SIGNING_KEY: ${parsed.problem}`);
  if (environment === 'production' && isDevelopmentKey(parsed.key.privateKey)) {
    throw new Error('REPLAY_SIGNING_KEY: is the key of development systems, which production refuses');
  }
  return parsed.key;
}
