import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signature of texts for one purpose. For another purpose, the same texts have another signature. */
export function sign(secret: string, purpose: string, ...texts: string[]): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...texts]))
    .digest('base64url');
}

export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
