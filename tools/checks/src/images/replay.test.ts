import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContents } from './contents.ts';
import { probe } from './probe.ts';
import { createReplay, type Replay } from './replay.ts';

/** A build context with two packages and a Dockerfile without npm, because only the replay is tested. */
describe('replay', () => {
  let context: string;
  let replay: Replay | undefined;
  beforeEach(() => {
    context = mkdtempSync(join(tmpdir(), 'replay-'));
    write('package-lock.json', '{}');
    write('libs/b/package.json', '{"version":"1.0.0"}');
    write('libs/b/b.test.ts', 'a test');
    write('services/a/package.json', '{"version":"1.0.0"}');
    write('services/a/main.js', `console.log('the configuration is valid, ' + process.env.MODE)`);
  });
  afterEach(() => {
    replay?.close();
    rmSync(context, { recursive: true, force: true });
  });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(context, path)), { recursive: true });
    writeFileSync(join(context, path), text);
  };
  const open = (dockerfile: string): Replay => {
    replay = createReplay({ context, dockerfile, dockerignore: '**/*.test.ts\n', argument: 'PACKAGE' });
    return replay;
  };
  const dockerfile = `FROM node AS build
WORKDIR /source
COPY . .
RUN mkdir -p node_modules/zod node_modules/@s && cp libs/b/package.json node_modules/zod && ln -s ../../libs/b node_modules/@s/b \\
 && echo built >> shared.txt
ARG PACKAGE
RUN mkdir ../app && test -f node_modules/zod/package.json && test -f node_modules/@s/b/package.json \\
 && rm -rf node_modules && cp -R --parents "$PACKAGE" shared.txt ../app && echo more >> shared.txt
FROM node
ENV MODE=production
ARG PACKAGE
COPY --from=build /app /app
WORKDIR /app/\${PACKAGE}
USER node
ENTRYPOINT ["node", "main.js"]
`;

  it('a replay of a Dockerfile builds an image per package and runs the steps before the build argument once', async () => {
    const { build, dropStages } = open(dockerfile);
    const a = await build('services/a');
    dropStages('services/a');
    const b = await build('libs/b');
    expect(readdirSync(join(a.root, 'app'))).toEqual(['services', 'shared.txt']);
    expect(readFileSync(join(a.root, 'app/shared.txt'), 'utf8')).toBe('built\n');
    expect(readContents(join(b.root, 'app')).files).toEqual(['libs/b/package.json', 'shared.txt']);
    expect(readFileSync(join(b.root, 'app/shared.txt'), 'utf8')).toBe('built\n');
    expect([a.workingDirectory, a.user, a.env]).toEqual(['/app/services/a', 'node', { MODE: 'production' }]);
  });

  it('a replay of a Dockerfile runs the image with only its folder and its environment', async () => {
    const image = await open(dockerfile).build('services/a');
    expect(await probe('services/a', image, {})).toEqual([]);
    expect(await probe('services/a', { ...image, user: undefined }, {})).toEqual(['runs as root']);
    write('services/a/main.js', `import('left-out-of-the-image')`);
    replay?.close();
    const broken = await open(dockerfile).build('services/a');
    expect(await probe('services/a', broken, {})).toEqual([expect.stringMatching(/Cannot find package/)]);
  });

  it('a replay of a Dockerfile fails with the line and the output of the failing step', async () => {
    const failing = dockerfile.replace('echo built', 'echo "TS2688: no type definitions" && false && echo');
    await expect(open(failing).build('services/a')).rejects.toThrow(/line 4, stage build:\nTS2688/);
  });

  it('a replay of a Dockerfile fails when a step needs files outside of the image', async () => {
    const outside = dockerfile.replace(
      'cp -R --parents "$PACKAGE"',
      'cp -R --parents "$PACKAGE" ../../../package.json',
    );
    await expect(open(outside).build('services/a')).rejects.toThrow(/line 7/);
  });
});
