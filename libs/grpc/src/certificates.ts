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
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';

/**
 * The certificates of this process. They are reloaded from their files.
 *
 * - The files are read at an interval, because file watchers miss the symlink swap of mounted Kubernetes secrets.
 * - Files that do not match or are invalid (for example during a renewal) -> new connections use the previous certificates,
 *   and the problems are logged once.
 * - Renewed files name another peer -> they are treated like invalid files.
 */
export interface Certificates extends experimental.CertificateProvider {
  /** Reads the files now. Returns whether the files have changed and are used for new connections. */
  refresh(): boolean;
  /** Returns the certificates of new connections, for connections that do not use gRPC. */
  current(): Pick<TlsFileContents, 'ca' | 'cert' | 'key'>;
  /** Calls `listener` after each renewal. */
  onRenewal(listener: () => void): void;
  close(): void;
}

export interface CertificatesOptions {
  files: TlsFiles;
  logger?: Pick<Logger, 'info' | 'error'> | undefined;
  registry?: Registry | undefined;
  /** Returns the wall time. Tests inject it. */
  nowMs?: () => number;
}

export const refreshIntervalMs = 10_000;

/** Throws ConfigError if the files are invalid. */
export function openCertificates({ files, logger, registry, nowMs = Date.now }: CertificatesOptions): Certificates {
  const first = readTlsFiles(files, nowMs());
  if (!first.contents) throw new ConfigError(first.problems);
  let current = first.contents;
  let lastProblems = '';
  const listeners = { ca: new Set<CaListener>(), identity: new Set<IdentityListener>() };
  const renewalListeners = new Set<() => void>();
  if (registry) registerExpiry(registry, () => current.expiresAtMs);

  const refresh = (): boolean => {
    const { contents, problems } = readOfSamePeer(files, nowMs(), peerOf(first.contents.subjectAltName));
    const newProblems = problems.join('; ');
    if (newProblems && newProblems !== lastProblems)
      logger?.error({ problems }, 'renewed certificates cannot be used; the old ones stay');
    lastProblems = newProblems;
    if (!contents || isSame(contents, current)) return false;
    current = contents;
    for (const listener of listeners.ca) listener(caOf(current));
    for (const listener of listeners.identity) listener(identityOf(current));
    for (const listener of renewalListeners) listener();
    logger?.info({ expiresAt: new Date(current.expiresAtMs).toISOString() }, 'renewed certificates are in use');
    return true;
  };
  const timer = setInterval(refresh, refreshIntervalMs).unref();

  return {
    // grpc-js is not ready for a call of its listener when it adds the listener. The first call is therefore one tick later.
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
    current: () => current,
    onRenewal: (listener) => void renewalListeners.add(listener),
    close: () => clearInterval(timer),
  };
}

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

const caOf = ({ ca }: TlsFileContents) => ({ caCertificate: ca });
const identityOf = ({ cert, key }: TlsFileContents) => ({ certificate: cert, privateKey: key });

/** Reads the files. A certificate of another peer is a problem, so that a renewal never changes the identity. */
function readOfSamePeer(files: TlsFiles, nowMs: number, holder: PeerName | undefined): TlsReading {
  const reading = readTlsFiles(files, nowMs);
  if (!reading.contents || peerOf(reading.contents.subjectAltName) === holder) return reading;
  return { problems: [`${files.cert.variable}: names another holder`] };
}

const isSame = (a: TlsFileContents, b: TlsFileContents) =>
  a.ca.equals(b.ca) && a.cert.equals(b.cert) && a.key.equals(b.key);

/** An alert on this metric reports a missing renewal in time. */
function registerExpiry(registry: Registry, expiresAtMs: () => number): void {
  metricsOf(registry).collectedGauge(
    'grpc_certificate_expires_timestamp_seconds',
    'When the certificate in use between services expires, in seconds since 1970',
    (gauge) => gauge.set(Math.floor(expiresAtMs() / 1_000)),
  );
}
