import { createPermitVerifier, developmentPublicKeys, developmentSigningKey } from '@shopscope/ids';
import { encodeEvent } from '@shopscope/kafka';
import { ObservationCompleted, observationCompleted, permitHeader } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createObservationSigner, replaySigningKey } from './sign-observation.ts';

const observation = ObservationCompleted.fromPartial({ scanId: 'scan_1', domain: 'shop.example', sequence: 7 });
const meta = { requestId: 'req_1', traceparent: '' };
const letter = encodeEvent(observationCompleted, observation, meta, { [permitHeader]: 'its own permit' });
const key = developmentSigningKey('replay');
const signer = (signRefused = false) => createObservationSigner({ key, signRefused, nowMs: () => 1_000_000 });
const verify = createPermitVerifier(developmentPublicKeys());
const signedByReplay = { principal: 'replay', expiresAtMs: 1_300_000 };
const permitOf = (record: { headers: Record<string, unknown> }) => String(record.headers[permitHeader]);

describe('the replay of an observation', () => {
  it('has a permit of replay for five minutes, and is otherwise unchanged', async () => {
    const record = signer()(letter, { reason: 'scope: "odd" is not supported' });
    expect(await verify(permitOf(record), observation)).toEqual(signedByReplay);
    expect({ ...record, headers: { ...record.headers, [permitHeader]: 'its own permit' } }).toEqual(letter);
  });

  it('keeps its own permit when it was refused because of its permit, unless the operator says otherwise', async () => {
    const reason = { reason: 'permit refused: mismatch: …' };
    expect(signer()(letter, reason)).toEqual(letter);
    expect(await verify(permitOf(signer(true)(letter, reason)), observation)).toEqual(signedByReplay);
  });

  it('leaves a record that cannot be decoded as it is', () => {
    const garbled = { ...letter, value: Buffer.from([0xff, 0xff]) };
    expect(signer()(garbled, { reason: 'cannot be decoded' })).toEqual(garbled);
  });
});

describe('the key of replay', () => {
  it('is that of development systems outside production only', () => {
    expect(replaySigningKey(undefined, 'development').id).toBe(key.id);
    expect(() => replaySigningKey(undefined, 'production')).toThrow('set REPLAY_SIGNING_KEY');
    const secret = key.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64');
    expect(() => replaySigningKey(`1:${secret}`, 'production')).toThrow('production refuses');
    expect(() => replaySigningKey('1:short', 'development')).toThrow('REPLAY_SIGNING_KEY: must be id:key');
  });
});
