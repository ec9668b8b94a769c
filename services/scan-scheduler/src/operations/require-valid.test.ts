import { describe, expect, it } from 'vitest';
import { requestTargetOf } from './admit-request.ts';
import { requireIdentifier, requireInstant } from './require-valid.ts';

const refused = (field: string) => expect.objectContaining({ code: 'invalid_request', details: { field } });

describe('validation of a message', () => {
  it.each(['', ' ', 'x'.repeat(101), 'a\0b', 'a.b', '$where', 'a\ud800', 'chg_1\n'])(
    'a message is refused when an identifier is none: %j',
    (value) => {
      expect(() => requireIdentifier('charge_id', value)).toThrow(refused('charge_id'));
    },
  );

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'a message is refused when a time is invalid: %d',
    (value) => {
      expect(() => requireInstant('requested_at_ms', value)).toThrow(refused('requested_at_ms'));
    },
  );

  it.each(['', ' ', 'a\0b', 'a b', '$where', 'a/b', 'x'.repeat(300)])(
    'a message is refused when a host is none: %j',
    (host) => {
      expect(() => requestTargetOf({ host, addresses: ['203.0.113.7'] })).toThrow(refused('next_request.host'));
    },
  );

  it.each(['shop.example', 'my_shop.example', 'xn--bcher-kva.example', '203.0.113.7'])(
    'a message is accepted with the host %s',
    (host) => {
      expect(requestTargetOf({ host, addresses: ['203.0.113.7'] }).host).toBe(host);
    },
  );
});
