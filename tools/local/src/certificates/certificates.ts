import { join } from 'node:path';
import { certificatePaths, type FolderEntry, writeCertificates } from '@shopscope/certificates';
import { type grpcTlsSettings, identityUri, type PeerName, peerNames } from '@shopscope/config';

/** Certificates for development: one per peer of the system, including the operator, in one folder. */
export const certificatesDirectory = (stateDir: string) => join(stateDir, 'certificates');

/** Writes certificates that are missing or expire within 30 days. The others stay. */
export function writeDevelopmentCertificates(directory: string): Promise<FolderEntry[]> {
  return writeCertificates({
    directory,
    holders: Object.fromEntries(peerNames.map((name) => [name, identityUri(name)])),
  });
}

export function tlsVariables(directory: string, name: PeerName): Record<keyof typeof grpcTlsSettings, string> {
  const { ca, cert, key } = certificatePaths(directory, name);
  return { GRPC_TLS_CA_FILE: ca, GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key };
}
