import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';

export const getCorpusHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['getCorpus'] =>
  async () => {
    const count = deps.corpusCount();
    return {
      stores: count?.stores ?? 0,
      profiles: count?.profiles ?? 0,
      technologies: deps.technologies.size,
      countedAtMs: count?.countedAt.getTime() ?? 0,
    };
  };
