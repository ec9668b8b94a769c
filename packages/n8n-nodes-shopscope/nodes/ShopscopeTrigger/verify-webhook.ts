import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that arrived. Parsed and serialized again, a body has another signature. */
  body: Buffer;
}

const toleranceSeconds = 5 * 60;
/** A delivery has at most two. The bound keeps the work for a forged header small. */
const maxSignatures = 16;

/**
 * Returns the event of a delivery (Standard Webhooks 1.0), or null if no signature matches or the timestamp is more than 5 minutes
 * from now. Signatures are compared in constant time.
 */
export function verifyWebhook(
  { headers, body }: Delivery,
  { secret, nowMs }: { secret: string; nowMs: number },
): (IDataObject & { id: string }) | null {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return null;
  if (!/^\d{1,12}$/.test(timestamp)) return null;
  if (Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) > toleranceSeconds) return null;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const matches = signatures
    .split(/,?\s+/)
    .slice(0, maxSignatures)
    .flatMap((signature) => /^v1,(\S+)$/.exec(signature)?.[1] ?? [])
    .map((signature) => Buffer.from(signature, 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  return matches ? { ...parseEvent(body), id } : null;
}

function parseEvent(body: Buffer): IDataObject {
  const event: unknown = JSON.parse(body.toString('utf8'));
  return typeof event === 'object' && event !== null ? (event as IDataObject) : {};
}
