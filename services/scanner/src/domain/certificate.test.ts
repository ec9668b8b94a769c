import type { PeerCertificate } from 'node:tls';
import { expect, it } from 'vitest';
import { certificateOf } from './certificate.ts';

const peer = (subjectaltname: string | undefined, issuer?: unknown) =>
  ({ subjectaltname, issuer }) as unknown as PeerCertificate;

it('a certificate has its host names in lower case and the organization of its issuer', () => {
  const names = 'DNS:Tea-Shop.com, IP Address:1.2.3.4, DNS:*.tea-shop.com, DNS:sni.cloudflaressl.com';
  expect(certificateOf(peer(names, { O: 'Cloudflare, Inc.' }))).toEqual({
    names: ['tea-shop.com', '*.tea-shop.com', 'sni.cloudflaressl.com'],
    issuer: 'Cloudflare, Inc.',
  });
});

it('a certificate without names and issuer, and one with thousands of names, are read within bounds', () => {
  expect(certificateOf(peer(undefined))).toEqual({ names: [], issuer: '' });
  const many = Array.from({ length: 5_000 }, (_, n) => `DNS:${'x'.repeat(300)}${n}.com`).join(', ');
  const { names, issuer } = certificateOf(peer(many, { O: 'x'.repeat(5_000) }));
  expect([names.length, Math.max(...names.map((name) => name.length)), issuer.length]).toEqual([50, 253, 200]);
});
