import { connect, isIP } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

export interface BrokerAddress {
  host: string;
  port: number;
}

const keepAliveMs = 60_000;

/**
 * Opens connections to brokers, with TLS if the client has `ssl` options. kafkajs limits the time of dial and handshake.
 *
 * - The certificate must name the advertised host, whatever address `dial` returns.
 * - The broker ends the connection -> the socket fails with an error, and kafkajs fails its requests at once. After a plain end, the
 *   requests would time out one after the other.
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
