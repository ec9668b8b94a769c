import { connect, isIP } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

export interface BrokerAddress {
  host: string;
  port: number;
}

const keepAliveMs = 60_000;

/**
 * Connections to brokers, by TLS where the client has `ssl` options: kafkajs bounds the dial and the handshake together.
 * A certificate has to name the broker as it is advertised, wherever `dial` leads.
 *
 * kafkajs lets the requests of a connection that ended run into their bounds one after the other; an end that arrives as
 * an error fails them at once.
 */
export function socketsTo(
  dial: (advertised: BrokerAddress) => BrokerAddress = (advertised) => advertised,
): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const address = dial({ host, port });
    const socket = ssl
      ? connectTls(
          {
            ...ssl,
            ...address,
            ...(!isIP(host) && { servername: host }),
            checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
          },
          onConnect,
        )
      : connect({ ...address }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('end', () => socket.destroy(new Error('the broker ended the connection')));
    return socket;
  };
}
