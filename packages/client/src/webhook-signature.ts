import { WebhookVerificationError } from './errors.ts';

/** The body as it is on the wire. Parsed and serialized again, a body has other bytes, and its signature does not match. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** What tells the time in milliseconds since 1970. Default: `Date.now`. */
export interface WebhookOptions {
  nowMs?: (() => number) | undefined;
}

export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** A CryptoKey. The types of Node.js have no name for it. */
type SecretKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;
const minKeyBytes = 24;
const encoder = new TextEncoder();

/**
 * The three headers of a webhook, as Standard Webhooks 1.0 has them: the signature is an HMAC-SHA256 over `id.timestamp.body`, one for each
 * secret. For tests of a receiver.
 */
export async function signWebhook(
  { id, body, secrets }: { id: string; body: WebhookBody; secrets: string | readonly string[] },
  { nowMs = Date.now }: WebhookOptions = {},
): Promise<Record<(typeof webhookHeaders)[keyof typeof webhookHeaders], string>> {
  const timestamp = String(Math.floor(nowMs() / 1_000));
  const content = signedContent(id, timestamp, body);
  const signatures = (await importSecrets(secrets)).map(
    async (key) => `v1,${toBase64(await crypto.subtle.sign(algorithm, key, content))}`,
  );
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: (await Promise.all(signatures)).join(' '),
  };
}

/** What a signature is over. */
export function signedContent(id: string, timestamp: string, body: WebhookBody): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

/** Whether the signature is that of the key. Web Crypto compares in constant time. */
export const isSignatureOf = (key: SecretKey, signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.verify(algorithm, key, signature, content);

export function importSecrets(secrets: string | readonly string[]): Promise<SecretKey[]> {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (all.length === 0) throw malformedSecret('is missing');
  const keys = all.map((secret) =>
    crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign', 'verify'] as const),
  );
  return Promise.all(keys);
}

/** The messages never show the secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (encoded === undefined) throw malformedSecret('is not whsec_ and base64');
  const key = fromBase64(encoded);
  if (key.length < minKeyBytes) throw malformedSecret(`has less than ${minKeyBytes} bytes`);
  return key;
}

const malformedSecret = (problem: string) =>
  new WebhookVerificationError(`a secret of the webhook ${problem}`, 'malformed_secret');

const toBase64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** No bytes, if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
