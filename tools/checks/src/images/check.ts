import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformFaults, productionClosure } from './closure.ts';
import { type ComposeFile, environmentOf, imagePackages, readCompose } from './compose.ts';
import { contentFaults, readContents } from './contents.ts';
import { probe } from './probe.ts';
import { createReplay, type Image, type Replay } from './replay.ts';

/** Where an image's application lies. */
const applicationFolder = 'app';

export interface ImageCheck {
  compose: ComposeFile;
  /** Every package that has an image: those that Compose builds. */
  packages: readonly string[];
  /** Builds the image of a package folder and checks it. */
  check(folder: string): Promise<{ image: Image; installed: number; faults: string[] }>;
  close(): void;
}

/** The images of a checkout, replayed from its own Dockerfile. */
export function openImageCheck(root: string): ImageCheck {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
  const lockFile = textOf('package-lock.json');
  const compose = readCompose(textOf('deploy/compose/compose.yaml'));
  const replay: Replay = createReplay({
    context: root,
    dockerfile: textOf('deploy/docker/Dockerfile'),
    dockerignore: textOf('.dockerignore'),
    argument: 'PACKAGE',
  });
  return {
    compose,
    packages: imagePackages(compose),
    async check(folder) {
      const image = await replay.build(folder);
      const contents = readContents(join(image.root, applicationFolder));
      const { packages } = JSON.parse(lockFile);
      const closure = productionClosure(packages, folder);
      const faults = [
        ...lockFileFaults(image, lockFile),
        ...platformFaults(packages, closure),
        ...contentFaults(contents, closure),
        ...(await probe(folder, image, environmentFor(compose, folder))),
      ];
      replay.dropStages(folder);
      return { image, installed: contents.packages.length, faults };
    },
    close: () => replay.close(),
  };
}

/** The lock file decides every version: a build that rewrites it installs something else than what was reviewed. */
function lockFileFaults({ stageRoots }: Image, expected: string): string[] {
  const found = stageRoots.flatMap((root) =>
    globSync('*/package-lock.json', { cwd: root }).map((path) => join(root, path)),
  );
  if (found.length === 0) return ['was installed without package-lock.json'];
  return found.filter((path) => readFileSync(path, 'utf8') !== expected).map((path) => `changed ${path}`);
}

/** The environment that Compose gives to the container of a package. */
export function environmentFor({ services }: ComposeFile, folder: string): Record<string, string> {
  const service = Object.values(services).find(({ build }) => build?.args.PACKAGE === folder);
  if (!service) throw new Error(`deploy/compose/compose.yaml builds no image of ${folder}`);
  return environmentOf(service);
}
