import { createHmac, randomBytes } from 'node:crypto';
import type { EndpointSecret } from './endpoint.ts';

// Standard Webhooks 1.0.

const prefix = 'whsec_';
const secretBytes = 32;
/** During a rotation, the new secret and the old one sign. */
export const maxSecrets = 2;
export const maxOverlapHours = 168;

export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64');

/** The secrets that sign at a time, the latest one first. */
export const validSecrets = (secrets: readonly EndpointSecret[], now: Date): EndpointSecret[] =>
  secrets.filter(({ until }) => until === null || until > now).slice(0, maxSecrets);

/** Returns the headers of a message. There is one signature per secret. */
export function signatureHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly EndpointSecret[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = validSecrets(secrets, at).map(({ secret }) => `v1,${hmac(secret, signed)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest('base64');
