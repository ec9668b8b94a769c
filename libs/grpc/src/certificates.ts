import type { experimental } from '@grpc/grpc-js';
import {
  ConfigError,
  type PeerName,
  peerOf,
  readTlsFiles,
  type TlsFileContents,
  type TlsFiles,
  type TlsReading,
} from '@shopscope/config';
import { Gauge, type Logger, type Registry } from '@shopscope/telemetry';

/**
 * This process's certificate, kept fresh from its files. They are read again at an interval rather than watched: mounted
 * secrets change by a swap of links that file watchers miss. What was read is used only when it fits together; while a
 * renewal is half written, or wrong, connections go on being made with what was there before.
 */
export interface Certificates extends experimental.CertificateProvider {
  /** Reads the files now. True when they had changed and are used from here on. */
  refresh(): boolean;
  close(): void;
}

export interface CertificatesOptions {
  files: TlsFiles;
  logger?: Pick<Logger, 'info' | 'error'> | undefined;
  registry?: Registry | undefined;
  /** Wall time, injected by tests. */
  nowMs?: () => number;
}

export const refreshIntervalMs = 10_000;

/** Throws ConfigError when the files cannot be used. */
export function keepCertificates({ files, logger, registry, nowMs = Date.now }: CertificatesOptions): Certificates {
  const first = readTlsFiles(files, nowMs());
  if (!first.contents) throw new ConfigError(first.problems);
  let current = first.contents;
  let lastProblems = '';
  const listeners = { ca: new Set<CaListener>(), identity: new Set<IdentityListener>() };
  if (registry) showExpiry(registry, () => current.expiresAtMs);

  const refresh = (): boolean => {
    const { contents, problems } = readSame(files, nowMs(), peerOf(first.contents.subjectAltName));
    const said = problems.join('; ');
    if (said && said !== lastProblems)
      logger?.error({ problems }, 'renewed certificates cannot be used; the old ones stay');
    lastProblems = said;
    if (!contents || isSame(contents, current)) return false;
    current = contents;
    for (const listener of listeners.ca) listener(caOf(current));
    for (const listener of listeners.identity) listener(identityOf(current));
    logger?.info({ expiresAt: new Date(current.expiresAtMs).toISOString() }, 'renewed certificates are in use');
    return true;
  };
  const timer = setInterval(refresh, refreshIntervalMs).unref();

  return {
    // gRPC starts to listen to its own listener after adding it here, so the first answer comes a tick later.
    addCaCertificateListener(listener) {
      listeners.ca.add(listener);
      process.nextTick(() => listener(caOf(current)));
    },
    removeCaCertificateListener: (listener) => void listeners.ca.delete(listener),
    addIdentityCertificateListener(listener) {
      listeners.identity.add(listener);
      process.nextTick(() => listener(identityOf(current)));
    },
    removeIdentityCertificateListener: (listener) => void listeners.identity.delete(listener),
    refresh,
    close: () => clearInterval(timer),
  };
}

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

const caOf = ({ ca }: TlsFileContents) => ({ caCertificate: ca });
const identityOf = ({ cert, key }: TlsFileContents) => ({ certificate: cert, privateKey: key });

/** A renewal never makes this process somebody else. */
function readSame(files: TlsFiles, nowMs: number, holder: PeerName | undefined): TlsReading {
  const reading = readTlsFiles(files, nowMs);
  if (!reading.contents || peerOf(reading.contents.subjectAltName) === holder) return reading;
  return { problems: [`${files.cert.variable}: names another holder`] };
}

const isSame = (a: TlsFileContents, b: TlsFileContents) =>
  a.ca.equals(b.ca) && a.cert.equals(b.cert) && a.key.equals(b.key);

/** So that an alert can say in time that a renewal does not happen. */
function showExpiry(registry: Registry, expiresAtMs: () => number): void {
  new Gauge({
    name: 'grpc_certificate_expires_timestamp_seconds',
    help: 'When the certificate in use between services expires, in seconds since 1970',
    registers: [registry],
    collect() {
      this.set(Math.floor(expiresAtMs() / 1_000));
    },
  });
}
