import { base32 } from '@shopscope/ids';
import { encode } from 'uqr';

/** The base32 alphabet of RFC 4648. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret in the form of authenticator apps: base32 without padding. */
export const authenticatorSecret = (secret: string): string => base32(Buffer.from(secret), alphabet);

/** The address that an authenticator app reads from the QR code. */
export function authenticatorLink(secret: string, email: string): string {
  const parameters = new URLSearchParams({
    secret: authenticatorSecret(secret),
    issuer: 'Shopscope',
    digits: '6',
    period: '30',
  });
  return `otpauth://totp/${encodeURIComponent('Shopscope')}:${encodeURIComponent(email)}?${parameters}`;
}

/** A QR code as the path of an SVG of `size` × `size` units. It needs no style and no image. */
export function qrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size, path };
}
