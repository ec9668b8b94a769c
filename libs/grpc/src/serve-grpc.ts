import { type GrpcTlsConfig, grpcTlsFiles } from '@shopscope/config';
import type { Logger, Registry } from '@shopscope/telemetry';
import type { Access } from './access.ts';
import type { UnaryDefinition } from './definition.ts';
import { type GrpcSecurity, openGrpcSecurity } from './security.ts';
import { createGrpcServer, type Handlers } from './server.ts';

interface GrpcService<D extends UnaryDefinition> {
  definition: D;
  handlers: Handlers<D>;
  access: Access<D>;
  /** The security of a service that also calls others, which it closes itself. Default: one for this server. */
  security?: GrpcSecurity;
}

/** Serves one gRPC service on GRPC_PORT with the TLS of the configuration. Registers the cleanups. Resolves to host:port. */
export async function serveGrpc<D extends UnaryDefinition>(
  config: GrpcTlsConfig & { HOST: string; GRPC_PORT: number },
  parts: {
    logger: Logger;
    registry: Registry;
    resources: { onStop(name: string, cleanup: () => Promise<void> | void): void };
  },
  { definition, handlers, access, ...given }: GrpcService<D>,
): Promise<string> {
  const { logger, registry, resources } = parts;
  const security = given.security ?? openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  if (!given.security) resources.onStop('certificates', security.close);
  const server = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
  server.addService(definition, handlers, access);
  const address = await server.listen();
  resources.onStop('grpc server', () => server.stop());
  return address;
}
