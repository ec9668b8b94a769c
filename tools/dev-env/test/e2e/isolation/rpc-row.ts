import type { GrpcClient } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { DevEnv } from '../../../src/index.ts';
import type { Tenant } from './tenant.ts';

export interface Asking {
  env: DevEnv;
  profiles: GrpcClient<typeof ProfilesServiceService>;
  /** The tenant for which the call is made. */
  own: Tenant;
  /** The tenant whose data may not be returned or changed. */
  other: Tenant;
}

export interface RpcRow {
  /** Why the RPC is not bound to one workspace. */
  notBound?: string;
  /** The RPC is for the operator, who may see every workspace. */
  showsEverybody?: true;
  /** Calls the RPC for `own` with every value of `other` that the request can contain. Returns all responses. */
  ask(asking: Asking): Promise<unknown>;
}
