import { createGrpcClient, type GrpcClient, type GrpcClientOptions, type UnaryDefinition } from '@shopscope/grpc';
import { grpcHealthProbe, healthDefinition, type Probe } from '../health-probes.ts';

/** The gRPC client of one service, and a health probe of that service. */
export interface PeerConnection<D extends UnaryDefinition> {
  client: GrpcClient<D>;
  probe: Probe;
  close(): void;
}

export function connectPeer<D extends UnaryDefinition>(options: GrpcClientOptions<D>): PeerConnection<D> {
  const client = createGrpcClient(options);
  // No registry: probes are not counted in the metrics of calls.
  const { address, security } = options;
  const health = createGrpcClient({ definition: healthDefinition, address, security });
  return {
    client,
    probe: grpcHealthProbe(health),
    close() {
      client.close();
      health.close();
    },
  };
}
