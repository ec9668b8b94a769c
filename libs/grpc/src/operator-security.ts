import { grpcTlsFiles, grpcTlsFilesRule, grpcTlsSettings, readConfig, z } from '@shopscope/config';
import { type GrpcSecurity, openGrpcSecurity } from './security.ts';

/**
 * Returns the security of connections of operator commands: mutual TLS if the GRPC_TLS_*_FILE variables name a certificate of
 * `operator`, otherwise no TLS. Throws ConfigError with all errors.
 */
export function operatorSecurity(variables: Readonly<Record<string, string | undefined>>): GrpcSecurity {
  const config = readConfig(z.object(grpcTlsSettings), variables, [grpcTlsFilesRule('operator')]);
  return openGrpcSecurity({ files: grpcTlsFiles(config) });
}
