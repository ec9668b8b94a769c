import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '@shopscope/clock';
import { type CertificateAuthority, createAuthority, openAuthority, type Pem } from './authority.ts';

/**
 * A folder with an authority and one certificate per name: `ca.crt`, `ca.key`, `NAME.crt`, `NAME.key`.
 *
 * - Repeated runs keep certificates that are valid long enough, so it can run before every start.
 * - Only the owner can read the keys.
 */
export interface FolderOptions {
  directory: string;
  holders: Readonly<Record<string, string>>;
  nowMs?: number;
}

export interface FolderEntry {
  name: string;
  expiresAt: Date;
  /** Whether this run issued the certificate. */
  isNew: boolean;
}
const authorityDays = 1_825;
const certificateDays = 90;
/** Certificates with less validity left are renewed. `notBefore` is a minute in the past, against clock differences. */
const certificateLeastDays = 30;
const clockSkewMs = 60_000;

/** The authority first, then the names in order. */
export async function writeCertificates(options: FolderOptions): Promise<FolderEntry[]> {
  const { directory, holders, nowMs = Date.now() } = options;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  const validity = (days: number) => ({
    notBefore: new Date(nowMs - clockSkewMs),
    notAfter: new Date(nowMs + days * dayMs),
  });

  const kept = readPem(directory, 'ca');
  // The authority is valid longer than the certificates that it issues.
  const isKept = kept && expiryOf(kept).getTime() > nowMs + certificateDays * dayMs;
  const authority = isKept ? await openAuthority(kept) : await createAuthority('authority', validity(authorityDays));
  if (!isKept) writePem(directory, 'ca', authority);
  const entries = [entryOf('ca', authority, !isKept)];

  for (const [name, uri] of Object.entries(holders)) {
    const had = readPem(directory, name);
    const isGood = had && isGoodUntil(had, authority, uri, nowMs + certificateLeastDays * dayMs);
    const pem = isGood ? had : await authority.issue(name, { uris: [uri], ...validity(certificateDays) });
    if (!isGood) writePem(directory, name, pem);
    entries.push(entryOf(name, pem, !isGood));
  }
  return entries;
}

/** The file paths for the service `name`. */
export const certificatePaths = (directory: string, name: string) => ({
  ca: join(directory, 'ca.crt'),
  cert: join(directory, `${name}.crt`),
  key: join(directory, `${name}.key`),
});

const expiryOf = ({ cert }: Pem) => new X509Certificate(cert).validToDate;
const entryOf = (name: string, pem: Pem, isNew: boolean): FolderEntry => ({ name, expiresAt: expiryOf(pem), isNew });

function isGoodUntil({ cert }: Pem, authority: CertificateAuthority, uri: string, untilMs: number): boolean {
  const certificate = new X509Certificate(cert);
  return (
    certificate.validToDate.getTime() > untilMs &&
    certificate.subjectAltName === `URI:${uri}` &&
    certificate.verify(new X509Certificate(authority.cert).publicKey)
  );
}

function readPem(directory: string, name: string): Pem | undefined {
  const { cert, key } = certificatePaths(directory, name);
  if (!existsSync(cert) || !existsSync(key)) return undefined;
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Replaces each file atomically. A reader between the two files gets a pair that does not match, and reads again later. */
function writePem(directory: string, name: string, pem: Pem): void {
  const { cert, key } = certificatePaths(directory, name);
  for (const [path, content, mode] of [
    [key, pem.key, 0o600],
    [cert, pem.cert, 0o644],
  ] as const) {
    const part = `${path}.${process.pid}.part`;
    writeFileSync(part, content, { mode });
    renameSync(part, path);
  }
}
