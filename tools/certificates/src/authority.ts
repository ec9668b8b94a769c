import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface Pem {
  cert: string;
  /** PKCS #8. */
  key: string;
}

export interface IssueOptions {
  uris: readonly string[];
  /** Host names and addresses of a server. Default: none. */
  hosts?: readonly string[];
  notBefore: Date;
  notAfter: Date;
}

/**
 * A certificate authority in memory. Its certificates are ECDSA on P-256, for clients and servers. It is for development
 * and tests only, because the key of the authority is not protected.
 */
export interface CertificateAuthority extends Pem {
  issue(commonName: string, options: IssueOptions): Promise<Pem>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export async function createAuthority(
  name: string,
  validity: { notBefore: Date; notAfter: Date },
): Promise<CertificateAuthority> {
  const keys = await newKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: distinguishedName(name),
    ...validity,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return authorityOf(cert, keys.privateKey, await privateKeyPem(keys.privateKey));
}

/** The authority of a certificate and key of {@link createAuthority}. Throws when one of them is malformed. */
export async function openAuthority({ cert, key }: Pem): Promise<CertificateAuthority> {
  const body = Buffer.from(key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const signingKey = await webcrypto.subtle.importKey('pkcs8', body, algorithm, true, ['sign']);
  return authorityOf(new X509Certificate(cert), signingKey, key);
}

function authorityOf(authority: X509Certificate, signingKey: webcrypto.CryptoKey, key: string): CertificateAuthority {
  return {
    cert: pemText(authority),
    key,
    async issue(commonName, { uris, hosts = [], notBefore, notAfter }) {
      const keys = await newKeys();
      const extensions: Extension[] = [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      ];
      const names = [
        ...uris.map((value) => ({ type: 'url' as const, value })),
        ...hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ];
      if (names.length > 0) extensions.push(new SubjectAlternativeNameExtension(names));
      const cert = await X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: distinguishedName(commonName),
        issuer: authority.subject,
        notBefore,
        notAfter,
        publicKey: keys.publicKey,
        signingKey,
        signingAlgorithm: algorithm,
        extensions,
      });
      return { cert: pemText(cert), key: await privateKeyPem(keys.privateKey) };
    },
  };
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const distinguishedName = (commonName: string) => [{ CN: [commonName] }, { O: ['Shopscope development'] }];
/** A positive, unique serial number. */
const serialNumber = () => `01${randomBytes(15).toString('hex')}`;
const pemText = (cert: X509Certificate) => `${cert.toString('pem').trim()}\n`;

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${body.replaceAll(/.{1,64}/g, '$&\n')}-----END PRIVATE KEY-----\n`;
}
