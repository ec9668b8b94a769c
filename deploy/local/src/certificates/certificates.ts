import { join } from 'node:path';
import {
  grpcTlsFiles,
  grpcTlsRule,
  grpcTlsSettings,
  identityUri,
  type PeerName,
  peerNames,
  readConfig,
  z,
} from '@shopscope/config';
import { certificatePaths, type FolderEntry, writeCertificates } from '@shopscope/dev-certificates';
import { type GrpcSecurity, openGrpcSecurity } from '@shopscope/grpc';

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

/** How commands of an operator speak to services, as these variables have it. Throws ConfigError with every fault. */
export function operatorSecurity(variables: Readonly<Record<string, string | undefined>>): GrpcSecurity {
  const config = readConfig(z.object(grpcTlsSettings), variables, [grpcTlsRule('operator')]);
  return openGrpcSecurity({ files: grpcTlsFiles(config) });
}
