import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { WebhookVerificationError } from './errors.ts';
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
import { signWebhook } from './webhook-signature.ts';

/** The vector that the libraries of Standard Webhooks publish. */
const published = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const sentMs = Number(published.timestamp) * 1_000;
const at = (ms: number) => ({ nowMs: () => ms });
const now = at(sentMs);

const event = {
  type: 'signal.confirmed',
  timestamp: '2026-01-15T12:00:00.000Z',
  data: { domain: 'shop.example', technology: 'klaviyo', from: null },
  sequence: 1042,
  environment: 'live',
};
const [id, body] = ['evt_01kandxv3w9p4nsbq7g8e2hm5t', JSON.stringify(event)];
const headers = {
  'webhook-id': published.id,
  'webhook-timestamp': published.timestamp,
  'webhook-signature': published.signature,
};
const other = 'whsec_Ceo5qEr07ixe2NLpvHk3FH9bwyWavXrA';
const wrong = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`;
const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
const ids = fc.stringMatching(/^evt_[0-9a-z]{1,26}$/);
const bodies = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()).map((value) => JSON.stringify(value));
const times = fc.integer({ min: 0, max: 4_000_000_000_000 });

async function reasonOf(verification: Promise<unknown>): Promise<string> {
  const error = await verification.then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  if (error === 'accepted') return error;
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as WebhookVerificationError).reason;
}

test('verifyWebhook and signWebhook agree with the published vector of Standard Webhooks', async () => {
  const { id, body, secret } = published;
  expect(await signWebhook({ id, body, secrets: secret }, now)).toEqual(headers);
  await expect(verifyWebhook(headers, body, secret, now)).resolves.toEqual({ test: 2432232314, id });
});

test.each([
  ['between others and of another version', [wrong, `v2${wrong.slice(2)}`, published.signature, wrong].join(' ')],
  ['in one of several headers', [wrong, published.signature]],
  ['in headers that a server joined', `${published.signature}, ${wrong}`],
])('verifyWebhook finds a matching signature %s', async (_, signature) => {
  const given = { ...headers, 'webhook-signature': signature };
  expect(await reasonOf(verifyWebhook(given, published.body, published.secret, now))).toBe('accepted');
});

test('verifyWebhook returns the event with its id, from a text or from bytes', async () => {
  const given = await signWebhook({ id, body, secrets: other }, now);
  const bytes = new TextEncoder().encode(body);
  for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)])
    expect(await verifyWebhook(given, raw, other, now)).toEqual({ ...event, id });
});

test.each<[string, WebhookHeaders]>([
  ['a Headers', new Headers(headers)],
  ['pairs', Object.entries(headers)],
  ['pairs that can be read once', Object.entries(headers).values()],
  ['a Map', new Map(Object.entries(headers))],
  [
    'names in capitals',
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  ],
  ['a list of one value', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ['further headers', { host: 'x', 'set-cookie': ['a', 'b'], 'webhook-ID-2': 'x', empty: undefined, ...headers }],
])('verifyWebhook reads headers as %s', async (_, given) => {
  expect(await reasonOf(verifyWebhook(given, published.body, published.secret, now))).toBe('accepted');
});

test.each([
  ['no id', { 'webhook-id': undefined }, 'missing_header'],
  ['an empty id', { 'webhook-id': '' }, 'missing_header'],
  ['no timestamp', { 'webhook-timestamp': undefined }, 'missing_header'],
  ['no signature', { 'webhook-signature': [] }, 'missing_header'],
  ['two ids', { 'webhook-id': [published.id, published.id] }, 'malformed_header'],
  ['an id in two spellings', { 'Webhook-Id': published.id }, 'malformed_header'],
  ['two timestamps', { 'webhook-timestamp': [published.timestamp, '1'] }, 'malformed_header'],
  ['a timestamp that is a word', { 'webhook-timestamp': 'hello' }, 'malformed_header'],
  ['a timestamp with a fraction', { 'webhook-timestamp': `${published.timestamp}.0` }, 'malformed_header'],
  ['a timestamp with a blank', { 'webhook-timestamp': ` ${published.timestamp}` }, 'malformed_header'],
  ['another signature', { 'webhook-signature': wrong }, 'no_matching_signature'],
  ['a part of the signature', { 'webhook-signature': published.signature.slice(0, 8) }, 'no_matching_signature'],
  ['a version alone', { 'webhook-signature': 'v1,' }, 'no_matching_signature'],
  ['a signature that is not base64', { 'webhook-signature': 'v1,ä%' }, 'no_matching_signature'],
  ['an unknown version', { 'webhook-signature': `v2${published.signature.slice(2)}` }, 'no_matching_signature'],
])('verifyWebhook refuses a webhook with %s', async (_, change, reason) => {
  const given = { ...headers, ...change };
  expect(await reasonOf(verifyWebhook(given, published.body, published.secret, now))).toBe(reason);
});

test.each([
  [-301_000, 'timestamp_too_new'],
  [-300_000, 'accepted'],
  [300_999, 'accepted'],
  [301_000, 'timestamp_too_old'],
])('verifyWebhook compares the timestamp with the time: after %i ms the webhook is %s', async (ms, reason) => {
  expect(await reasonOf(verifyWebhook(headers, published.body, published.secret, at(sentMs + ms)))).toBe(reason);
});

test('verifyWebhook uses the time of the machine by default', async () => {
  vi.useFakeTimers({ now: sentMs, toFake: ['Date'] });
  try {
    expect(await reasonOf(verifyWebhook(headers, published.body, published.secret))).toBe('accepted');
    expect(await signWebhook({ ...published, secrets: published.secret })).toEqual(headers);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['no secrets', []],
  ['an empty secret', ''],
  ['a secret without its prefix', published.secret.slice(6)],
  ['a secret that is not base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!'],
  ['a secret with a line break', `${published.secret}\n`],
  ['a secret of 23 bytes', secretOf(new Uint8Array(23))],
  ['a malformed secret beside the matching one', [published.secret, 'whsec_MfKQ9r8G']],
])('verifyWebhook refuses %s, and never shows it', async (_, given) => {
  const verification = verifyWebhook(headers, published.body, given, now);
  expect(await reasonOf(verification)).toBe('malformed_secret');
  await expect(verification).rejects.toThrow(/^a secret of the webhook (?!.*MfKQ)/);
});

test.each(['', 'text', '[]', 'null', '{"type":', new Uint8Array([0x7b, 0xff, 0x7d])])(
  'verifyWebhook refuses the signed body %j, which is not an object of JSON',
  async (raw) => {
    const given = await signWebhook({ id, body: raw, secrets: other }, now);
    expect(await reasonOf(verifyWebhook(given, raw, other, now))).toBe('malformed_body');
  },
);

test('verifyWebhook says that a parsed body is the fault of the caller', async () => {
  await expect(verifyWebhook(headers, JSON.parse(published.body), published.secret, now)).rejects.toThrow(TypeError);
  await expect(verifyWebhook(headers, undefined as never, published.secret, now)).rejects.toThrow('raw body');
});

test('verifyWebhook examines a bounded number of signatures', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify');
  try {
    const given = { ...headers, 'webhook-signature': `${wrong} `.repeat(1_000) };
    const verification = verifyWebhook(given, published.body, [published.secret, other], now);
    expect(await reasonOf(verification)).toBe('no_matching_signature');
    expect(verify.mock.calls.length).toBe(32);
  } finally {
    verify.mockRestore();
  }
});

test('verifyWebhook accepts each signature of the package standardwebhooks, also while secrets overlap', async () => {
  await fc.assert(
    fc.asyncProperty(ids, bodies, times, secrets, secrets, async (id, body, ms, first, second) => {
      const signed = [first, second].map((secret) => new Webhook(secret).sign(id, new Date(ms), body));
      const given = (signature: string) => ({
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(ms / 1_000)),
        'webhook-signature': signature,
      });
      const expected = { ...JSON.parse(body), id };
      for (const signature of [...signed, signed.join(' '), signed.toReversed().join(' ')])
        expect(await verifyWebhook(given(signature), body, [first, second], at(ms))).toEqual(expected);
      for (const secret of [first, second])
        expect(await verifyWebhook(given(signed.join(' ')), Buffer.from(body), secret, at(ms))).toEqual(expected);
    }),
  );
});

test('the package standardwebhooks accepts each signature of signWebhook, also while secrets overlap', async () => {
  await fc.assert(
    fc.asyncProperty(ids, bodies, secrets, secrets, async (id, body, first, second) => {
      const signed = await signWebhook({ id, body, secrets: [first, second] });
      for (const secret of [first, second]) expect(new Webhook(secret).verify(body, signed)).toEqual(JSON.parse(body));
    }),
  );
});

test('verifyWebhook refuses a webhook whose id, timestamp, body or signature has another character', async () => {
  const parts = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'body'] as const;
  await fc.assert(
    fc.asyncProperty(
      ids,
      bodies,
      times,
      secrets,
      fc.constantFrom(...parts),
      fc.nat(),
      fc.constantFrom(...'0123456789abcXYZ+/=., {}"'),
      async (id, body, ms, secret, part, place, character) => {
        const sent = { ...(await signWebhook({ id, body, secrets: secret }, at(ms))), body };
        const text = sent[part];
        const index = place % text.length;
        const changed = { ...sent, [part]: text.slice(0, index) + character + text.slice(index + 1) };
        // The last character but one of a signature has two bits that base64 does not use.
        const isSame = changed[part] === text || (part === 'webhook-signature' && index >= text.length - 2);
        fc.pre(!isSame);
        const { body: raw, ...given } = changed;
        expect(await reasonOf(verifyWebhook(given, raw, secret, at(ms)))).not.toBe('accepted');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('verifyWebhook refuses the signature of another secret', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, secrets, async (mine, theirs) => {
      fc.pre(mine !== theirs);
      const given = await signWebhook({ id, body, secrets: theirs }, now);
      expect(await reasonOf(verifyWebhook(given, body, mine, now))).toBe('no_matching_signature');
    }),
  );
});
