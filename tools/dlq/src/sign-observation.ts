import { minuteMs } from '@shopscope/clock';
import {
  createPermitSigner,
  createPermitVerifier,
  developmentPublicKeys,
  developmentSigningKey,
  type PermitFault,
  type PermitPublicKey,
  type PermitSigningKey,
} from '@shopscope/ids';
import type { DeadLetter, RawRecord } from '@shopscope/kafka';
import { type ObservationCompleted, observationCompleted, permitHeader } from '@shopscope/proto';

/**
 * A dead letter of observations.v1 is published again after the end of its permit. So replay signs it with a key of its own,
 * which profiles has to know (decision 41). profiles moves some observations to the dead letters before it checks their
 * permit, for example those of an unknown version. So replay verifies the permit of each letter before it signs.
 *
 * - The signature of the permit is valid, and the broker stored the original record before the permit expired -> a permit of replay.
 * - Otherwise -> unchanged, and profiles refuses the letter's own permit again. With `signRefused` replay signs it too.
 * - The record cannot be decoded -> unchanged, even with `signRefused`.
 */

/** Why replay does not sign a letter. profiles uses the same names for its reasons. */
export type UnsignedReason = 'unsigned' | PermitFault | 'record_key' | 'no_append_time' | 'expired' | 'undecodable';

/** The observation when its letter has a valid permit, or else the reason why replay does not sign it. */
export type ExaminedLetter =
  | { observation: ObservationCompleted; fault?: UnsignedReason }
  | { observation: undefined; fault: 'undecodable' };

/** The clocks of the operator's machine and of the broker must differ by less than this. */
const replayPermitMs = 5 * minuteMs;

/** Checks the permit of a letter by the rules of profiles (observation-permit.ts). */
export function createLetterExaminer(publicKeys: readonly PermitPublicKey[]) {
  const verify = createPermitVerifier(publicKeys);
  return async (record: RawRecord, { appendedAtMs }: Pick<DeadLetter, 'appendedAtMs'>): Promise<ExaminedLetter> => {
    const observation = decoded(record);
    if (!observation) return { observation, fault: 'undecodable' };
    const permit = String(record.headers[permitHeader] ?? '');
    if (permit === '') return { observation, fault: 'unsigned' };
    const verified = await verify(permit, observation);
    if ('fault' in verified) return { observation, fault: verified.fault };
    if (String(record.key) !== observation.domain) return { observation, fault: 'record_key' };
    if (appendedAtMs === undefined) return { observation, fault: 'no_append_time' };
    return appendedAtMs <= verified.expiresAtMs ? { observation } : { observation, fault: 'expired' };
  };
}

export interface SignObservationOptions {
  key: PermitSigningKey;
  publicKeys: readonly PermitPublicKey[];
  signRefused: boolean;
  nowMs(): number;
  /** Called for each letter that is not signed. */
  onUnsigned(letter: DeadLetter, reason: UnsignedReason): void;
}

export function createObservationSigner(options: SignObservationOptions) {
  const { key, publicKeys, signRefused, nowMs, onUnsigned } = options;
  const sign = createPermitSigner('replay', key);
  const examine = createLetterExaminer(publicKeys);
  return async (record: RawRecord, letter: DeadLetter): Promise<RawRecord> => {
    const { observation, fault } = await examine(record, letter);
    if (!observation || (fault && !signRefused)) {
      onUnsigned(letter, fault ?? 'undecodable');
      return record;
    }
    const permit = sign(observation, nowMs() + replayPermitMs);
    return { ...record, headers: { ...record.headers, [permitHeader]: permit } };
  };
}

function decoded({ value }: RawRecord): ObservationCompleted | undefined {
  if (!value) return undefined;
  try {
    return observationCompleted.decode(value);
  } catch {
    return undefined;
  }
}

/** Throws an error that names the setting. A production system has no key of replay unless an operator sets one. */
export function replaySigningKey(key: PermitSigningKey | undefined, environment: string): PermitSigningKey {
  if (key) return key;
  if (environment !== 'production') return developmentSigningKey('replay');
  throw new Error(
    'Observations are published again with a permit of replay: set REPLAY_SIGNING_KEY, and add its public key to PERMIT_PUBLIC_KEYS of profiles.',
  );
}

/** Throws an error that names the setting. The keys are those of profiles. */
export function permitPublicKeys(keys: PermitPublicKey[] | undefined, environment: string): PermitPublicKey[] {
  if (keys) return keys;
  if (environment !== 'production') return developmentPublicKeys();
  throw new Error('The permits of dead letters are verified: set PERMIT_PUBLIC_KEYS as in profiles.');
}
