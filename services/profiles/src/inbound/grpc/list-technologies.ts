import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listTechnologies } from '../../operations/list-technologies.ts';

export const listTechnologiesHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['listTechnologies'] =>
  async (request) => {
    const { countedAt, ...page } = listTechnologies(deps, request);
    return { ...page, countedAtMs: countedAt?.getTime() ?? 0 };
  };
