import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { getTechnology } from '../../operations/get-technology.ts';

export const getTechnologyHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['getTechnology'] =>
  async ({ slug }) => {
    const { technology, usage } = getTechnology(deps, slug);
    if (!usage) return { technology, usage: undefined };
    const { countedAt, ...counts } = usage;
    return { technology, usage: { ...counts, countedAtMs: countedAt.getTime() } };
  };
