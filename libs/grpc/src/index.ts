/** gRPC servers and clients: deadlines, error codes, origin, health, and mutual TLS with access control per method. */
export { type Access, refusal } from './access.ts';
export { defaultDeadlineMs } from './call-deadline.ts';
export {
  callForBatch,
  callPeer,
  callPeerForCaller,
  environmentOf,
  joinBatch,
  originsOf,
  orRefusal,
  orUnavailable,
  toInternal,
  unlessNotFound,
} from './call-peer.ts';
export { type CallOptions, createGrpcClient, type GrpcClient, type GrpcClientOptions } from './client.ts';
export { connectPeer, type PeerConnection, probeTimeoutMs } from './connect-peer.ts';
export type { RequestOf, ResponseOf, UnaryDefinition } from './definition.ts';
export type { HttpsSecurity, HttpsTowards } from './https.ts';
export { operatorSecurity } from './operator-security.ts';
export { pageOf } from './page.ts';
export {
  type ChannelSecurity,
  type GrpcSecurity,
  type GrpcSecurityOptions,
  openGrpcSecurity,
} from './security.ts';
export { serveGrpc } from './serve-grpc.ts';
export {
  type CallContext,
  createGrpcServer,
  type GrpcServer,
  type GrpcServerOptions,
  type HandlerContext,
  type Handlers,
  maxCallsPerConnection,
} from './server.ts';
export { statusByCode } from './status.ts';
export { tenantOf, testTenantOf } from './tenant.ts';
