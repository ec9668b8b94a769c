import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformProblems, productionClosure } from './closure.ts';
import { type ComposeFile, environmentOf, imagePackages, readCompose } from './compose.ts';
import { contentProblems, readContents } from './contents.ts';
import { probe } from './probe.ts';
import { createReplay, type Image } from './replay.ts';

const applicationFolder = 'app';

/** The images of a checkout, built by replaying its Dockerfile. */
export function openImageCheck(root: string) {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
  const lockFile = textOf('package-lock.json');
  const compose = readCompose(textOf('deploy/compose/compose.yaml'));
  const replay = createReplay({
    context: root,
    dockerfile: textOf('deploy/docker/Dockerfile'),
    dockerignore: textOf('.dockerignore'),
    argument: 'PACKAGE',
  });
  return {
    compose,
    packages: imagePackages(compose),
    /** Builds the image of a package folder and checks it. */
    async check(folder: string) {
      const image = await replay.build(folder);
      const contents = readContents(join(image.root, applicationFolder));
      const { packages } = JSON.parse(lockFile);
      const closure = productionClosure(packages, folder);
      const problems = [
        ...lockFileProblems(image, lockFile),
        ...platformProblems(packages, closure),
        ...contentProblems(contents, closure),
        ...(await probe(folder, image, environmentFor(compose, folder))),
      ];
      replay.dropStages(folder);
      return { image, installed: contents.packages.length, problems };
    },
    close: () => replay.close(),
  };
}

/** A build that changes the lock file installs versions that were not reviewed. */
function lockFileProblems({ stageRoots }: Image, expected: string): string[] {
  const found = stageRoots.flatMap((root) =>
    globSync('*/package-lock.json', { cwd: root }).map((path) => join(root, path)),
  );
  if (found.length === 0) return ['was installed without package-lock.json'];
  return found.filter((path) => readFileSync(path, 'utf8') !== expected).map((path) => `changed ${path}`);
}

/** The environment of the container of a package in Compose. */
export function environmentFor({ services }: ComposeFile, folder: string): Record<string, string> {
  const service = Object.values(services).find(({ build }) => build?.args.PACKAGE === folder);
  if (!service) throw new Error(`deploy/compose/compose.yaml builds no image of ${folder}`);
  return environmentOf(service);
}
