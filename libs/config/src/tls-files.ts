import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/**
 * Certificate authorities, a certificate and its key, as files in PEM.
 *
 * - The files are read and checked together, before the start and at every renewal, which ensures that they match.
 * - Problems name the variable and never contain file contents.
 */
export interface TlsFile {
  /** The variable that names the file. */
  variable: string;
  path: string;
}

export interface TlsFiles {
  ca: TlsFile;
  cert: TlsFile;
  key: TlsFile;
}

export interface TlsFileContents {
  ca: Buffer;
  /** The certificate, followed by any intermediate certificates. */
  cert: Buffer;
  key: Buffer;
  /** The subject alternative names of the certificate, in Node's form. */
  subjectAltName: string | undefined;
  expiresAtMs: number;
}

export type TlsReading = { contents: TlsFileContents; problems: [] } | { contents?: undefined; problems: string[] };

/** Reads the three files and checks them for the time `nowMs`. Reports all problems together. */
export function readTlsFiles(files: TlsFiles, nowMs: number): TlsReading {
  const problems: string[] = [];
  const ca = read(files.ca, problems);
  const cert = read(files.cert, problems);
  const key = read(files.key, problems);
  const authorities = ca && certificatesOf(files.ca, ca, problems);
  const chain = cert && certificatesOf(files.cert, cert, problems);
  const privateKey = key && keyOf(files.key, key, problems);

  const leaf = chain?.[0];
  if (leaf) checkValidity(files.cert, leaf, nowMs, problems);
  if (leaf && privateKey && !leaf.checkPrivateKey(privateKey)) {
    problems.push(`${files.key.variable}: is not the key of the certificate in ${files.cert.variable}`);
  }
  if (authorities) checkAuthorities(files, authorities, chain ?? [], nowMs, problems);
  if (problems.length === 0 && !isUsable(ca, cert, key))
    problems.push(`${files.cert.variable}: cannot be used for TLS`);
  if (problems.length > 0 || !ca || !cert || !key || !leaf) return { problems };
  return {
    contents: { ca, cert, key, subjectAltName: leaf.subjectAltName, expiresAtMs: leaf.validToDate.getTime() },
    problems: [],
  };
}

/** Returns false if OpenSSL refuses readable files, for example because the key is too small. */
function isUsable(ca?: Buffer, cert?: Buffer, key?: Buffer): boolean {
  try {
    createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
    return true;
  } catch {
    return false;
  }
}

function read({ variable, path }: TlsFile, problems: string[]): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    problems.push(`${variable}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    return undefined;
  }
}

function certificatesOf({ variable }: TlsFile, pem: Buffer, problems: string[]): X509Certificate[] | undefined {
  const blocks = pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  try {
    if (blocks) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // The problem below replaces OpenSSL's message, which is hard to understand.
  }
  problems.push(`${variable}: is not a certificate in PEM`);
  return undefined;
}

function keyOf({ variable }: TlsFile, pem: Buffer, problems: string[]): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    problems.push(`${variable}: is not a private key in PEM without a passphrase`);
    return undefined;
  }
}

function checkValidity({ variable }: TlsFile, cert: X509Certificate, nowMs: number, problems: string[]): void {
  if (nowMs > cert.validToDate.getTime()) problems.push(`${variable}: expired at ${cert.validToDate.toISOString()}`);
  if (nowMs < cert.validFromDate.getTime())
    problems.push(`${variable}: is valid only from ${cert.validFromDate.toISOString()}`);
}

/**
 * Checks the file of authorities. While an authority is replaced, the file contains the old and the new one. An expired authority is
 * therefore allowed beside a valid one.
 */
function checkAuthorities(
  { ca, cert }: TlsFiles,
  authorities: X509Certificate[],
  chain: X509Certificate[],
  nowMs: number,
  problems: string[],
): void {
  const valid = authorities.filter((authority) => nowMs <= authority.validToDate.getTime());
  if (valid.length === 0) checkValidity(ca, authorities[0] as X509Certificate, nowMs, problems);
  if (authorities.some((authority) => !authority.ca)) {
    problems.push(`${ca.variable}: contains a certificate that is not a certificate authority`);
  }
  const issued = (by: X509Certificate[]) =>
    chain.some((each) => by.some((authority) => each.checkIssued(authority) && each.verify(authority.publicKey)));
  if (chain.length > 0 && !issued(authorities)) {
    problems.push(`${cert.variable}: was not issued by an authority in ${ca.variable}`);
  }
}
