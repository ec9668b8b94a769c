import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import { identityUri, type PeerName, peerNames, peerOf } from '@shopscope/config';
import { type Certificates, type CertificatesOptions, openCertificates } from './certificates.ts';
import { createHttpsSecurity, type HttpsSecurity } from './https.ts';

/**
 * The security of the gRPC connections of this process: mutual TLS if there are files, otherwise no TLS. A process has one, for
 * its server and all its clients.
 *
 * - Both ends present a certificate of the system's own authority.
 * - Each end checks the peer name in the certificate of the other end. Addresses and host names are not checked.
 */
export interface GrpcSecurity {
  /** Undefined if there is no TLS. Callers are then not identified. */
  readonly server: ServerCredentials | undefined;
  /** Returns the security of a connection to a peer. Undefined if there is no TLS. */
  towards(peer: PeerName): ChannelSecurity | undefined;
  /** The same security for HTTP between services. Undefined if there is no TLS. */
  readonly https: HttpsSecurity | undefined;
  /** Reads the files now, besides the reads at an interval. Returns whether changed files are used for new connections. */
  refresh(): boolean;
  close(): void;
}

export interface ChannelSecurity {
  credentials: ChannelCredentials;
  /** The server name in the handshake. It replaces a host name. */
  serverName: string;
}

export type GrpcSecurityOptions = Omit<CertificatesOptions, 'files'> & {
  files: CertificatesOptions['files'] | undefined;
};

/** Throws ConfigError if files are invalid. */
export function openGrpcSecurity({ files, ...options }: GrpcSecurityOptions): GrpcSecurity {
  if (!files) {
    return { server: undefined, towards: () => undefined, https: undefined, refresh: () => false, close: () => {} };
  }
  const certificates = openCertificates({ files, ...options });
  // There is one object per peer: grpc-js shares connections only between clients with the same credentials object.
  const channels = new Map(peerNames.map((peer) => [peer, channelSecurity(certificates, peer)]));
  return {
    server: experimental.createCertificateProviderServerCredentials(certificates, certificates, true),
    towards: (peer) => channels.get(peer),
    https: createHttpsSecurity(certificates, options.logger),
    refresh: certificates.refresh,
    close: certificates.close,
  };
}

function channelSecurity(certificates: Certificates, peer: PeerName): ChannelSecurity {
  // Node has verified the certificate chain. This function replaces its check of the host name.
  const checkServerIdentity = (_: string, { subjectaltname }: { subjectaltname?: string | undefined }) =>
    peerOf(subjectaltname) === peer ? undefined : new Error(`the server is not ${identityUri(peer)}`);
  return {
    credentials: experimental.createCertificateProviderChannelCredentials(certificates, certificates, {
      checkServerIdentity,
    }),
    serverName: peer,
  };
}
