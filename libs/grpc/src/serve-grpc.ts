import { type GrpcTlsConfig, grpcTlsFiles } from '@shopscope/config';
import type { Logger, Registry } from '@shopscope/telemetry';
import type { Access } from './access.ts';
import type { UnaryDefinition } from './definition.ts';
import { openGrpcSecurity } from './security.ts';
import { createGrpcServer, type Handlers } from './server.ts';

interface GrpcService<D extends UnaryDefinition> {
  definition: D;
  handlers: Handlers<D>;
  access: Access<D>;
}

/** Serves one gRPC service on GRPC_PORT with the TLS of the configuration. Registers the cleanups. Resolves to host:port. */
export async function serveGrpc<D extends UnaryDefinition>(
  config: GrpcTlsConfig & { HOST: string; GRPC_PORT: number },
  parts: {
    logger: Logger;
    registry: Registry;
    resources: { onStop(name: string, cleanup: () => Promise<void> | void): void };
  },
  { definition, handlers, access }: GrpcService<D>,
): Promise<string> {
  const { logger, registry, resources } = parts;
  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
  server.addService(definition, handlers, access);
  const address = await server.listen();
  resources.onStop('grpc server', () => server.stop());
  return address;
}
