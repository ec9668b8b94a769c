import { grpcTlsFiles, grpcTlsRule, grpcTlsSettings, readConfig, z } from '@shopscope/config';
import { type GrpcSecurity, openGrpcSecurity } from './security.ts';

/**
 * How an operator's commands connect to services: mutual TLS when the GRPC_TLS_*_FILE variables name a certificate for
 * `operator`, else in the clear. Throws ConfigError with every fault.
 */
export function operatorSecurity(variables: Readonly<Record<string, string | undefined>>): GrpcSecurity {
  const config = readConfig(z.object(grpcTlsSettings), variables, [grpcTlsRule('operator')]);
  return openGrpcSecurity({ files: grpcTlsFiles(config) });
}
