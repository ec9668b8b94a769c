import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { NamedSecret } from '@shopscope/config';

/**
 * Encrypts the secrets and headers of endpoints with AES-256-GCM before they are stored.
 *
 * - A sealed text names its key. The first configured key seals; the others only open.
 * - `context` names the place of a text. A sealed text does not open in another place.
 * - The key of a sealed text is not configured, or the text was changed -> `open` throws.
 */
export interface Vault {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The ids of the keys that only open. */
  readonly olderKeyIds: readonly string[];
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** It separates these keys from other uses of the same secret. */
const purpose = 'shopscope webhooks vault';

export function createVault(named: readonly [NamedSecret, ...NamedSecret[]]): Vault {
  const keys = new Map(
    named.map(({ id, secret }) => [id, Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))] as const),
  );
  const [{ id: keyId }, ...older] = named;
  const keyOf = (id: string): Buffer => {
    const key = keys.get(id);
    if (!key) throw new Error(`the key ${id} of a stored secret is not configured`);
    return key;
  };
  return {
    keyId,
    olderKeyIds: older.map(({ id }) => id),
    seal(text, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, keyOf(keyId), iv).setAAD(Buffer.from(context));
      const parts = [iv, cipher.update(text, 'utf8'), cipher.final()];
      return `${keyId}:${Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64')}`;
    },
    open(sealed, context) {
      const colon = sealed.indexOf(':');
      const bytes = Buffer.from(sealed.slice(colon + 1), 'base64');
      const decipher = createDecipheriv(algorithm, keyOf(sealed.slice(0, colon)), bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
