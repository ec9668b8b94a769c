import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Texts that this service stores encrypted: AES-256-GCM with a key derived from SESSION_SECRET. `owner` is authenticated, so that a text
 * that was moved to another document cannot be opened.
 */
const nonceBytes = 12;
const tagBytes = 16;

const keyOf = (secret: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'shopscope dashboard: sealed text', 32));

export function seal(secret: string, owner: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined if the text was sealed with another secret or for another owner, or was changed. */
export function unseal(secret: string, owner: string, sealed: Uint8Array): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
