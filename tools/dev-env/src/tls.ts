import { readFileSync } from 'node:fs';
import { certificatePaths, openAuthority, writeCertificates } from '@shopscope/certificates';
import { grpcTlsFiles, identityUri, type PeerName, peerNames } from '@shopscope/config';
import { type GrpcSecurity, openGrpcSecurity } from '@shopscope/grpc';

export type EnvironmentTls = Awaited<ReturnType<typeof createEnvironmentTls>>;

/**
 * Creates the certificates of one environment. Returns the settings of each service, and functions to call services as
 * any peer.
 */
export async function createEnvironmentTls(directory: string, isOn: boolean) {
  const holders = Object.fromEntries(peerNames.map((name) => [name, identityUri(name)]));
  if (isOn) await writeCertificates({ directory, holders });
  const opened: GrpcSecurity[] = [];
  const variables = (name: PeerName): Record<string, string> => {
    if (!isOn) return {};
    const { ca, cert, key } = certificatePaths(directory, name);
    return { GRPC_TLS_CA_FILE: ca, GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key };
  };
  return {
    /** Empty without TLS. */
    variables,
    as(name: PeerName): GrpcSecurity {
      const security = openGrpcSecurity({ files: grpcTlsFiles(variables(name)) });
      opened.push(security);
      return security;
    },
    /** The authority of the certificates. Tests issue further certificates with it. */
    authority: () => {
      const { cert, key } = certificatePaths(directory, 'ca');
      return openAuthority({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
    },
    close() {
      for (const security of opened) security.close();
    },
  };
}
