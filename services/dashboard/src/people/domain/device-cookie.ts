import { hash, randomBytes } from 'node:crypto';
import { daySeconds } from '@shopscope/clock';
import { isSignature, sign } from './signature.ts';

/**
 * A cookie that shows that this browser has signed in to an account before. It gives no access. Its only use is to throttle a person's
 * browsers separately from those of strangers.
 *
 * - Value: an id of the browser, and one signature per account, at most {@link maxAccounts}.
 */
export const deviceCookieName = '__Host-shopscope.device';
const maxAccounts = 5;
const maxAgeSeconds = 365 * daySeconds;

/** The key of an account. The address itself is stored only in the account. */
export const accountKey = (email: string): string => hash('sha256', email.trim().toLowerCase(), 'base64url');

/** The id of the browser, if it has signed in to the account before. */
export function knownDevice(secret: string, cookies: string | null, account: string): string | undefined {
  const [id = '', ...signatures] = valueIn(cookies).split('.');
  const expected = sign(secret, 'device', id, account);
  return signatures.some((signature) => isSignature(signature, expected)) ? id : undefined;
}

/** The Set-Cookie value after a sign-in. */
export function rememberDevice(secret: string, cookies: string | null, account: string): string {
  const [known = '', ...signatures] = valueIn(cookies).split('.');
  const id = /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url');
  const own = sign(secret, 'device', id, account);
  const kept = id === known ? signatures.filter((signature) => signature !== own && /^[\w-]{43}$/.test(signature)) : [];
  const value = [id, own, ...kept.slice(0, maxAccounts - 1)].join('.');
  return `${deviceCookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
}

function valueIn(cookies: string | null): string {
  const pair = (cookies ?? '').split(';').find((text) => text.trim().startsWith(`${deviceCookieName}=`));
  return pair?.split('=')[1]?.trim() ?? '';
}
