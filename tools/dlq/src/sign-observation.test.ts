import {
  createPermitSigner,
  createPermitVerifier,
  developmentPublicKeys,
  developmentSigningKey,
  type PermittedObservation,
} from '@shopscope/ids';
import { type DeadLetter, encodeEvent, type RawRecord } from '@shopscope/kafka';
import { ObservationCompleted, observationCompleted, permitHeader } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createObservationSigner, permitPublicKeys, replaySigningKey } from './sign-observation.ts';

const observation = ObservationCompleted.fromPartial({ scanId: 'scan_1', domain: 'shop.example', sequence: 7 });
const meta = { requestId: 'req_1', traceparent: '', environment: null };
const appendedAtMs = 500_000;
const leased = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
const permitUntil = (expiresAtMs: number, of: PermittedObservation = observation) => leased(of, expiresAtMs);
const recordWith = (permit: string): RawRecord =>
  encodeEvent(observationCompleted, observation, meta, permit === '' ? {} : { [permitHeader]: permit });
const letterOf = (more: Partial<DeadLetter> = {}): DeadLetter => ({
  offset: '0',
  deadLetteredAtMs: appendedAtMs + 1_000,
  reason: 'unknown version "2" of observation.completed',
  groupId: 'profiles',
  eventType: observationCompleted.name,
  requestId: 'req_1',
  environment: '',
  origin: { partition: '0', offset: '0' },
  appendedAtMs,
  omittedBytes: undefined,
  ...more,
});
const key = developmentSigningKey('replay');
function setUp(signRefused = false) {
  const unsigned: string[] = [];
  const sign = createObservationSigner({
    key,
    publicKeys: developmentPublicKeys(),
    signRefused,
    nowMs: () => 1_000_000,
    onUnsigned: (_, reason) => unsigned.push(reason),
  });
  return { sign, unsigned };
}
const verify = createPermitVerifier(developmentPublicKeys());
const signedByReplay = { principal: 'replay', expiresAtMs: 1_300_000 };
const permitOf = (record: RawRecord) => String(record.headers[permitHeader]);

describe('replay of an observation', () => {
  it('a replayed observation has a permit of replay for five minutes, and is otherwise unchanged, when its permit was valid', async () => {
    const { sign, unsigned } = setUp();
    const own = permitUntil(appendedAtMs);
    const record = await sign(recordWith(own), letterOf());
    expect(await verify(permitOf(record), observation)).toEqual(signedByReplay);
    expect({ ...record, headers: { ...record.headers, [permitHeader]: own } }).toEqual(recordWith(own));
    expect(unsigned).toEqual([]);
  });

  it('an observation that replay signed before is signed again', async () => {
    const before = createPermitSigner('replay', key)(observation, appendedAtMs + 1);
    const record = await setUp().sign(recordWith(before), letterOf());
    expect(await verify(permitOf(record), observation)).toEqual(signedByReplay);
  });

  it.each<[string, string, RawRecord, Partial<DeadLetter>]>([
    ['without a permit', 'unsigned', recordWith(''), {}],
    ['with a text of its own', 'malformed', recordWith('let me in'), {}],
    [
      'of another domain',
      'mismatch',
      recordWith(permitUntil(appendedAtMs, { ...observation, domain: 'own.example' })),
      {},
    ],
    ['of another sequence', 'mismatch', recordWith(permitUntil(appendedAtMs, { ...observation, sequence: 6 })), {}],
    [
      'by a key that is not known',
      'unknown_key',
      recordWith(createPermitSigner('scan-scheduler', { ...key, id: 'other' })(observation, appendedAtMs)),
      {},
    ],
    [
      'by replay under the name of scan-scheduler',
      'mismatch',
      recordWith(createPermitSigner('scan-scheduler', key)(observation, appendedAtMs)),
      {},
    ],
    ['that expired before the broker stored the record', 'expired', recordWith(permitUntil(appendedAtMs - 1)), {}],
    [
      'in a record with another key',
      'record_key',
      { ...recordWith(permitUntil(appendedAtMs)), key: 'own.example' },
      {},
    ],
    [
      'without the time of the broker',
      'no_append_time',
      recordWith(permitUntil(appendedAtMs)),
      { appendedAtMs: undefined },
    ],
  ])(
    'an observation stays without a permit of replay %s, unless the operator says otherwise',
    async (_, reason, record, letter) => {
      const strict = setUp();
      expect(await strict.sign(record, letterOf(letter))).toEqual(record);
      expect(strict.unsigned).toEqual([reason]);
      const trusting = setUp(true);
      expect(await verify(permitOf(await trusting.sign(record, letterOf(letter))), observation)).toEqual(
        signedByReplay,
      );
      expect(trusting.unsigned).toEqual([]);
    },
  );

  it('an observation is unchanged when its record cannot be decoded, even when the operator says otherwise', async () => {
    for (const signRefused of [false, true]) {
      const { sign, unsigned } = setUp(signRefused);
      const garbled = { ...recordWith(permitUntil(appendedAtMs)), value: Buffer.from([0xff, 0xff]) };
      expect(await sign(garbled, letterOf({ reason: 'cannot be decoded' }))).toEqual(garbled);
      expect(unsigned).toEqual(['undecodable']);
    }
  });
});

describe('public keys of permits', () => {
  it('the public keys of permits are those of development systems outside production only', () => {
    expect(permitPublicKeys(undefined, 'development')).toHaveLength(2);
    expect(() => permitPublicKeys(undefined, 'production')).toThrow('set PERMIT_PUBLIC_KEYS');
  });
});

describe('key of replay', () => {
  it('the key of replay is that of development systems outside production only', () => {
    expect(replaySigningKey(undefined, 'development').id).toBe(key.id);
    expect(() => replaySigningKey(undefined, 'production')).toThrow('set REPLAY_SIGNING_KEY');
  });
});
