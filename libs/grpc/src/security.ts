import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import { identityUri, type PeerName, peerNames, peerOf } from '@shopscope/config';
import { type Certificates, type CertificatesOptions, keepCertificates } from './certificates.ts';

/**
 * How this process speaks to the others: in the clear when it has no files, else by mutual TLS. Both ends show a
 * certificate of the system's own authority and check whom the other's names; addresses and host names play no part.
 * One per process, for its server and all its clients.
 */
export interface GrpcSecurity {
  /** Undefined: the server speaks in the clear and asks nobody who they are. */
  readonly server: ServerCredentials | undefined;
  /** How to connect to a peer. Undefined: in the clear. */
  towards(peer: PeerName): ChannelSecurity | undefined;
  /** Reads the files now; they are read at an interval anyway. True when they had changed and are used from here on. */
  refresh(): boolean;
  close(): void;
}

export interface ChannelSecurity {
  credentials: ChannelCredentials;
  /** Sent in the handshake in the place of a host's name. */
  serverName: string;
}

export type GrpcSecurityOptions = Omit<CertificatesOptions, 'files'> & {
  files: CertificatesOptions['files'] | undefined;
};

/** Throws ConfigError when there are files that cannot be used. */
export function openGrpcSecurity({ files, ...options }: GrpcSecurityOptions): GrpcSecurity {
  if (!files) return { server: undefined, towards: () => undefined, refresh: () => false, close: () => {} };
  const certificates = keepCertificates({ files, ...options });
  // One a peer: clients of one peer share its connections only when their credentials are the same.
  const channels = new Map(peerNames.map((peer) => [peer, channelSecurity(certificates, peer)]));
  return {
    server: experimental.createCertificateProviderServerCredentials(certificates, certificates, true),
    towards: (peer) => channels.get(peer),
    refresh: certificates.refresh,
    close: certificates.close,
  };
}

function channelSecurity(certificates: Certificates, peer: PeerName): ChannelSecurity {
  // In the place of Node's check of the host's name, after the chain was verified.
  const checkServerIdentity = (_: string, { subjectaltname }: { subjectaltname?: string | undefined }) =>
    peerOf(subjectaltname) === peer ? undefined : new Error(`the server is not ${identityUri(peer)}`);
  return {
    credentials: experimental.createCertificateProviderChannelCredentials(certificates, certificates, {
      checkServerIdentity,
    }),
    serverName: peer,
  };
}
