import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import type { Given } from './rules.ts';

/** The PEM texts of a TLS connection. Without `ca`, the public authorities of Node are trusted. */
export interface TlsMaterial {
  ca?: string;
  /** The client certificate, for servers that request one. */
  cert?: string;
  key?: string;
}

/** NAME_TLS_CA, NAME_TLS_CERT and NAME_TLS_KEY hold PEM texts. With the suffix _FILE they hold the paths of PEM files. */
export const tlsSettings = <Name extends string>(name: Name) =>
  Object.fromEntries(members.map((member) => [`${name}_TLS_${member}`, z.string().optional()])) as Record<
    `${Name}_TLS_${(typeof members)[number]}`,
    z.ZodOptional<z.ZodString>
  >;

const members = ['CA', 'CERT', 'KEY'] as const;

/** Returns the TLS material of one connection. Use it only when TLS is enabled. */
export function tlsMaterial(config: object, name: string): TlsMaterial {
  const values = config as Given;
  const given = members.map((member) => [member.toLowerCase(), values[`${name}_TLS_${member}`]] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== undefined));
}

/** Returns the problems of the TLS material. `enabled`: whether the connection uses TLS. `remedy`: how to enable TLS. */
export function tlsProblems(given: Given, name: string, enabled: boolean, remedy: string): string[] {
  const [caName, certName, keyName] = members.map((member) => `${name}_TLS_${member}`) as [string, string, string];
  const { [caName]: ca, [certName]: cert, [keyName]: key } = given;
  const problems: string[] = [];
  if (!enabled) {
    for (const member of [caName, certName, keyName]) if (given[member]) problems.push(`${member}: ${remedy}`);
  }
  for (const [member, pem] of [
    [caName, ca],
    [certName, cert],
  ] as const) {
    if (pem && !isCertificate(pem)) problems.push(`${member}: must be a certificate in PEM`);
  }
  if (cert && !key) problems.push(`${keyName}: is required with ${certName}`);
  if (key && !cert) problems.push(`${certName}: is required with ${keyName}`);
  if (key && cert && isCertificate(cert) && !matches(cert, key)) {
    problems.push(`${keyName}: must be the key of ${certName}, in PEM`);
  }
  return problems;
}

function isCertificate(pem: string): boolean {
  try {
    return pem.includes('-----BEGIN CERTIFICATE-----') && new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function matches(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}
