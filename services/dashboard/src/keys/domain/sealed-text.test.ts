import { expect, it } from 'vitest';
import { seal, unseal } from './sealed-text.ts';

const secret = 'a session secret of at least thirty-two characters';

it('a sealed text opens with its secret and for its owner only', () => {
  const sealed = seal(secret, 'ws_1', 'svc_live_secret');
  expect(sealed.toString('latin1')).not.toContain('svc_live');
  expect(unseal(secret, 'ws_1', sealed)).toBe('svc_live_secret');
  expect(unseal(secret, 'ws_2', sealed)).toBeUndefined();
  expect(unseal(`${secret}.`, 'ws_1', sealed)).toBeUndefined();
});

it('a changed or cut text does not open', () => {
  const sealed = seal(secret, 'ws_1', 'svc_live_secret');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    expect(unseal(secret, 'ws_1', changed)).toBeUndefined();
    expect(unseal(secret, 'ws_1', sealed.subarray(0, at))).toBeUndefined();
  }
});

it('the same text is sealed differently each time', () => {
  expect(seal(secret, 'ws_1', 'x')).not.toEqual(seal(secret, 'ws_1', 'x'));
});
