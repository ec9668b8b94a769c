import { createServer, type Server, type ServerOptions } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { identityUri, type PeerName, peerOf } from '@shopscope/config';
import type { Logger } from '@shopscope/telemetry';
import type { Certificates } from './certificates.ts';

/**
 * Mutual TLS for HTTP between services, with the certificates of gRPC.
 *
 * - Both ends present a certificate of the system's own authority, and each end checks the peer name in the other certificate.
 * - A peer without permission connects -> its connection is closed before a request is read, and the refusal is logged.
 * - The certificates are renewed -> new connections use them.
 */
export interface HttpsSecurity {
  /** Creates a server that only these peers may connect to. */
  createServer(options: ServerOptions, peers: readonly PeerName[]): Server;
  /** Returns the options of a request to a peer. They change with a renewal, so call it for each request. */
  towards(peer: PeerName): HttpsTowards;
}

export interface HttpsTowards {
  ca: Buffer;
  cert: Buffer;
  key: Buffer;
  /** The server name in the handshake. It replaces a host name. */
  servername: string;
  checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

export function createHttpsSecurity(
  certificates: Pick<Certificates, 'current' | 'onRenewal'>,
  logger: Pick<Logger, 'info' | 'error'> | undefined,
): HttpsSecurity {
  const contents = () => {
    const { ca, cert, key } = certificates.current();
    return { ca, cert, key };
  };
  return {
    createServer(options, peers) {
      const server = createServer({ ...options, ...contents(), requestCert: true, rejectUnauthorized: true });
      server.prependListener('secureConnection', (socket) => {
        const peer = peerOf(socket.getPeerCertificate().subjectaltname);
        if (peer && peers.includes(peer)) return;
        logger?.info({ peer: peer ?? 'unknown' }, 'connection refused');
        socket.destroy();
      });
      certificates.onRenewal(() => server.setSecureContext(contents()));
      return server;
    },
    towards: (peer) => ({
      ...contents(),
      servername: peer,
      // Node has verified the certificate chain. This function replaces its check of the host name.
      checkServerIdentity: (_, { subjectaltname }) =>
        peerOf(subjectaltname) === peer ? undefined : new Error(`the server is not ${identityUri(peer)}`),
    }),
  };
}
