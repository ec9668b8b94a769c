import { join } from 'node:path';
import { certificatePaths, type FolderEntry, writeCertificates } from '@shopscope/certificates';
import { type grpcTlsSettings, identityUri, type PeerName, peerNames } from '@shopscope/config';

/** Certificates of development: one per peer of the system, the operator among them, in a folder of their own. */
export const certificatesDirectory = (stateDir: string) => join(stateDir, 'certificates');

/** Writes what is missing or expires within 30 days; what is good stays as it is. */
export function writeDevelopmentCertificates(directory: string): Promise<FolderEntry[]> {
  return writeCertificates({
    directory,
    holders: Object.fromEntries(peerNames.map((name) => [name, identityUri(name)])),
  });
}

/** The settings under which a service is `name`. */
export function tlsVariables(directory: string, name: PeerName): Record<keyof typeof grpcTlsSettings, string> {
  const { ca, cert, key } = certificatePaths(directory, name);
  return { GRPC_TLS_CA_FILE: ca, GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key };
}
