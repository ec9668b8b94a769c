import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * A permit is the right to publish the observation of one scan of one domain with one sequence, until it expires. It is an Ed25519
 * signature of its principal. The permit does not contain these values: a verifier takes scan, domain and sequence from the observation. A
 * permit for another observation is therefore not valid.
 *
 * - Text: `1.PRINCIPAL.KEY_ID.EXPIRES_AT_MS.SIGNATURE`, with the signature in base64url.
 * - Signed bytes: a prefix that no other signature of this system has, then each field, preceded by its length in bytes. Two different
 *   lists of fields therefore never have the same encoding.
 * - Several keys of a principal are valid at the same time. An operator can therefore replace a key without an interruption (decision 41).
 */

/** The principals that may sign: scan-scheduler for its leases, and replay for dead letters that an operator publishes again. */
export const permitPrincipals = ['scan-scheduler', 'replay'] as const;
export type PermitPrincipal = (typeof permitPrincipals)[number];

/** The observation that a permit is for. */
export interface PermittedObservation {
  scanId: string;
  domain: string;
  sequence: number;
}

export interface PermitSigningKey {
  id: string;
  privateKey: KeyObject;
}

export interface PermitPublicKey {
  principal: PermitPrincipal;
  id: string;
  publicKey: KeyObject;
}

/** Returns the permit for an observation that reaches Kafka at the latest at the given instant. */
export type SignPermit = (observation: PermittedObservation, expiresAtMs: number) => string;

export type PermitFault = 'malformed' | 'unknown_key' | 'mismatch';
export type VerifiedPermit = { principal: PermitPrincipal; expiresAtMs: number } | { fault: PermitFault };
export type VerifyPermit = (permit: string, observation: PermittedObservation) => Promise<VerifiedPermit>;

/** The maximum number of public keys of all principals. A rotation needs two keys of a principal. */
const maxPublicKeys = 8;
const prefix = 'shopscope observation permit 1';
const permitPattern = /^1\.([a-z-]{1,20})\.([a-z0-9][a-z0-9_-]{0,19})\.([1-9]\d{0,14})\.([A-Za-z0-9_-]{86})$/;
const keyId = /^[a-z0-9][a-z0-9_-]{0,19}$/;
/** 32 bytes in base64 or base64url. */
const keyBytes = /^[A-Za-z0-9+/_-]{43}=?$/;
/** The DER encodings of RFC 8410, up to the 32 bytes of a key. */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function createPermitSigner(principal: PermitPrincipal, { id, privateKey }: PermitSigningKey): SignPermit {
  return (observation, expiresAtMs) => {
    const signature = sign(null, signedBytes(principal, id, expiresAtMs, observation), privateKey);
    return ['1', principal, id, expiresAtMs, signature.toString('base64url')].join('.');
  };
}

/**
 * Creates a verifier. It verifies in a thread of the pool, because a batch of observations would block the event loop for a tenth of a
 * second. The result names the principal whose signature is valid. The caller compares the expiry with the time that applies to the
 * observation.
 */
export function createPermitVerifier(keys: readonly PermitPublicKey[]): VerifyPermit {
  const byName = new Map(keys.map((key) => [`${key.principal}.${key.id}`, key]));
  return async (permit, observation) => {
    const [, principal, id, expiry, signature] = permitPattern.exec(permit) ?? [];
    if (principal === undefined || id === undefined || signature === undefined) return { fault: 'malformed' };
    const key = byName.get(`${principal}.${id}`);
    if (!key) return { fault: 'unknown_key' };
    const expiresAtMs = Number(expiry);
    const signed = signedBytes(key.principal, id, expiresAtMs, observation);
    const isValid = await isSignature(signed, key.publicKey, Buffer.from(signature, 'base64url'));
    return isValid ? { principal: key.principal, expiresAtMs } : { fault: 'mismatch' };
  };
}

const isSignature = (signed: Buffer, publicKey: KeyObject, signature: Buffer): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, signed, publicKey, signature, (error, isValid) => (error ? reject(error) : resolve(isValid)));
  });

function signedBytes(
  principal: PermitPrincipal,
  id: string,
  expiresAtMs: number,
  { scanId, domain, sequence }: PermittedObservation,
): Buffer {
  const fields = [prefix, id, principal, scanId, domain, String(sequence), String(expiresAtMs)];
  return Buffer.concat(
    fields.flatMap((field) => {
      const bytes = Buffer.from(field);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** Parses `id:PRIVATE_KEY`, with a key of 32 bytes in base64. A problem never contains the text of the key. */
export function parseSigningKey(text: string): { key: PermitSigningKey } | { problem: string } {
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(text.trim()) ?? [];
  if (!keyId.test(id) || !keyBytes.test(secret)) {
    return { problem: 'must be id:key, with an id of 1 to 20 characters of a-z, 0-9, - and _ and 32 bytes in base64' };
  }
  return { key: { id, privateKey: privateKeyOf(Buffer.from(secret, 'base64')) } };
}

/** Parses entries `principal:id:PUBLIC_KEY`, separated by commas or line breaks. */
export function parsePublicKeys(text: string): { keys: PermitPublicKey[]; problems: string[] } {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const keys: PermitPublicKey[] = [];
  const problems: string[] = [];
  if (entries.length === 0) problems.push('must have at least one entry principal:id:key');
  if (entries.length > maxPublicKeys) problems.push(`must have at most ${maxPublicKeys} entries`);
  for (const [index, entry] of entries.entries()) {
    const [name, id = '', bytes = '', ...rest] = entry.split(':');
    const principal = permitPrincipals.find((each) => each === name);
    if (!principal || !keyId.test(id) || !keyBytes.test(bytes) || rest.length > 0) {
      problems.push(
        `entry ${index + 1} must be principal:id:key, with a principal out of ${permitPrincipals.join(', ')} and 32 bytes in base64`,
      );
    } else if (keys.some((key) => key.principal === principal && key.id === id)) {
      problems.push(`entry ${index + 1} has the principal and the id of an earlier entry`);
    } else {
      keys.push({ principal, id, publicKey: publicKeyFrom(Buffer.from(bytes, 'base64')) });
    }
  }
  return { keys, problems };
}

/** Returns the entry for the list of public keys that belongs to a signing key. */
export function publicKeyEntry(principal: PermitPrincipal, { id, privateKey }: PermitSigningKey): string {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return `${principal}:${id}:${der.subarray(publicKeyPrefix.length).toString('base64')}`;
}

const developmentKeyId = 'development';

/** The signing key of systems for development and tests. Everybody can compute it, so production refuses it. */
export const developmentSigningKey = (principal: PermitPrincipal): PermitSigningKey => ({
  id: developmentKeyId,
  privateKey: privateKeyOf(createHash('sha256').update(`shopscope development permits of ${principal}`).digest()),
});

export const developmentPublicKeys = (): PermitPublicKey[] =>
  permitPrincipals.map((principal) => {
    const { id, privateKey } = developmentSigningKey(principal);
    return { principal, id, publicKey: createPublicKey(privateKey) };
  });

/** Whether everybody can compute the key. The key may be private or public. */
export function isDevelopmentKey(key: KeyObject): boolean {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return developmentPublicKeys().some((each) => each.publicKey.equals(publicKey));
}

/** For the rule of secrets in @shopscope/config: the keys of a setting in hexadecimal, and whether everybody can compute a key. */
export const signingKeySecrets = {
  secretsOf: (text: string): string[] => keysIn(text),
  isPublic: (hex: string): boolean => isKeyOfDevelopment(hex, privateKeyOf),
};
export const publicKeySecrets = {
  secretsOf: (text: string): string[] => text.split(/[,\n]/).flatMap(keysIn),
  isPublic: (hex: string): boolean => isKeyOfDevelopment(hex, publicKeyFrom),
};

function keysIn(entry: string): string[] {
  const bytes = entry.trim().split(':').at(-1) ?? '';
  return keyBytes.test(bytes) ? [Buffer.from(bytes, 'base64').toString('hex')] : [];
}

const isKeyOfDevelopment = (hex: string, keyOf: (bytes: Uint8Array) => KeyObject) =>
  isDevelopmentKey(keyOf(Buffer.from(hex, 'hex')));

const privateKeyOf = (bytes: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateKeyPrefix, bytes]), format: 'der', type: 'pkcs8' });

const publicKeyFrom = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicKeyPrefix, bytes]), format: 'der', type: 'spki' });
