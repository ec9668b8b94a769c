import { z } from 'zod';
import { identityUri, type PeerName, peerOf } from './peer-identity.ts';
import { type Given, inProduction, mustBeSecure, type Rule } from './rules.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

/** TLS between services. All three files are set, or none for plain connections. Files are read again after a change. */
export const grpcTlsSettings = {
  /** The certificate authorities of the peers, in PEM. */
  GRPC_TLS_CA_FILE: z.string().optional(),
  /** The certificate of this service, followed by intermediate certificates. */
  GRPC_TLS_CERT_FILE: z.string().optional(),
  GRPC_TLS_KEY_FILE: z.string().optional(),
};

export type GrpcTlsConfig = { [Variable in keyof typeof grpcTlsSettings]?: string | undefined };

/** Returns the files of the settings. Undefined without TLS. */
export function grpcTlsFiles(config: GrpcTlsConfig): TlsFiles | undefined {
  const { GRPC_TLS_CA_FILE: ca, GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key } = config;
  if (!ca || !cert || !key) return undefined;
  return {
    ca: { variable: 'GRPC_TLS_CA_FILE', path: ca },
    cert: { variable: 'GRPC_TLS_CERT_FILE', path: cert },
    key: { variable: 'GRPC_TLS_KEY_FILE', path: key },
  };
}

/**
 * The rule for the settings of a service. The files must satisfy {@link grpcTlsFilesRule}. In production they are required, unless
 * INSECURE_CONNECTIONS names grpc, or the service listens and calls only on loopback.
 */
export const grpcTlsRule =
  (name: PeerName): Rule =>
  (given) => {
    const isSet = Object.keys(grpcTlsSettings).some((variable) => given[variable]);
    if (isSet || !mustBeSecure(given, 'grpc', grpcHosts(given))) return grpcTlsFilesRule(name)(given);
    return [`GRPC_TLS_CERT_FILE: is required, with GRPC_TLS_CA_FILE and GRPC_TLS_KEY_FILE, ${inProduction('grpc')}`];
  };

/** Returns the address that a service listens on, and the addresses of other services, each as host:port. */
function grpcHosts(given: Given): string[] {
  const targets = Object.keys(given).filter((name) => name.endsWith('_ADDRESS'));
  const hosts = targets.flatMap((name) => (given[name] ?? '').replace(/^(dns:\/\/\/|ipv4:)/, '').split(','));
  return [given.HOST ?? '', ...hosts];
}

/** Requires all files or none. Their contents must match, and the certificate must name this peer. */
export const grpcTlsFilesRule =
  (name: PeerName, nowMs = Date.now()): Rule =>
  (given) => {
    const variables = Object.keys(grpcTlsSettings) as (keyof GrpcTlsConfig)[];
    const missing = variables.filter((variable) => !given[variable]);
    if (missing.length === variables.length) return [];
    const files = grpcTlsFiles(given);
    if (!files) return missing.map((variable) => `${variable}: is required once another GRPC_TLS_ variable is set`);
    const { contents, problems } = readTlsFiles(files, nowMs);
    if (contents && peerOf(contents.subjectAltName) !== name) {
      return [`GRPC_TLS_CERT_FILE: must name ${identityUri(name)} as its only URI`];
    }
    return problems;
  };
