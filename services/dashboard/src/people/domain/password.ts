import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Passwords are stored as argon2id hashes in the PHC string format. The parameters are the minimum of OWASP's Password
 * Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
 */
const derive = promisify(argon2);
const parameters = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const saltLength = 16;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const tag = await tagOf(password, salt, parameters);
  const { memory, passes, parallelism } = parameters;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Returns false if the password is wrong or the text is not an argon2id hash. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  if (expected.length !== tagLength) return false;
  const given = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return timingSafeEqual(expected, await tagOf(password, Buffer.from(salt, 'base64'), given));
}

function tagOf(password: string, nonce: Buffer, given: typeof parameters): Promise<Buffer> {
  return derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...given }) as Promise<Buffer>;
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
