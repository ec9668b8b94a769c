import { createGrpcClient, type GrpcClient, type GrpcClientOptions, type UnaryDefinition } from '@shopscope/grpc';
import { healthDefinition, type Probe, servingProbe } from '../health-probes.ts';

/** The client of one neighbour, and a probe of its health over the same connection. */
export interface PeerConnection<D extends UnaryDefinition> {
  client: GrpcClient<D>;
  probe: Probe;
  close(): void;
}

export function connectPeer<D extends UnaryDefinition>(options: GrpcClientOptions<D>): PeerConnection<D> {
  const client = createGrpcClient(options);
  // Without the registry: probes are no calls of requests.
  const { address, security } = options;
  const health = createGrpcClient({ definition: healthDefinition, address, security });
  return {
    client,
    probe: servingProbe(health),
    close() {
      client.close();
      health.close();
    },
  };
}
