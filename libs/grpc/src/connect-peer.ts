import { createDeadline } from '@shopscope/async';
import { service as healthService } from 'grpc-health-check';
import { createGrpcClient, type GrpcClient, type GrpcClientOptions } from './client.ts';
import type { UnaryDefinition } from './definition.ts';

export interface PeerConnection<D extends UnaryDefinition> {
  client: GrpcClient<D>;
  /** Resolves to true if the service reports that it serves. Otherwise it rejects, or resolves to false, within {@link probeTimeoutMs}. */
  probe(): Promise<boolean>;
  close(): void;
}

export const probeTimeoutMs = 1_500;

/** The gRPC health checking protocol, without its streaming methods. */
const healthDefinition = { check: healthService.Check } as { check: UnaryDefinition[string] };

export function connectPeer<D extends UnaryDefinition>(options: GrpcClientOptions<D>): PeerConnection<D> {
  const client = createGrpcClient(options);
  // There is no registry, because the metrics of calls do not count probes.
  const { address, security } = options;
  const health = createGrpcClient({ definition: healthDefinition, address, security });
  return {
    client,
    async probe() {
      const { status } = (await health.check({ service: '' }, { deadline: createDeadline(probeTimeoutMs) })) as {
        status?: unknown;
      };
      return status === 'SERVING';
    },
    close() {
      client.close();
      health.close();
    },
  };
}
