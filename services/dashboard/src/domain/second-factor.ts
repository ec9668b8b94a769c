import { encode } from 'uqr';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648) without padding, as authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let out = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += alphabet[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + alphabet[(value << (5 - bits)) & 31] : out;
}

/** The address that an authenticator app reads from the QR code. */
export function authenticatorLink(secret: string, email: string): string {
  const parameters = new URLSearchParams({
    secret: base32(Buffer.from(secret)),
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
