import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { describe, expect, it } from 'vitest';
import { expand, parseDockerfile } from './dockerfile.ts';

const root = resolve(import.meta.dirname, '../../../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

describe('parseDockerfile', () => {
  it('parseDockerfile parses stages, continued lines and the forms of each instruction', () => {
    const text = `# a comment
ARG IMAGE=node
FROM --platform=$BUILDPLATFORM $IMAGE AS build
WORKDIR /source
COPY a b ./
ENV A=1
ARG PACKAGE
RUN one \\
  # a comment between
  two
FROM node
ENTRYPOINT ["node", "main.js"]
`;
    expect(parseDockerfile(text)).toEqual([
      {
        name: 'build',
        base: '$IMAGE',
        instructions: [
          { line: 4, name: 'WORKDIR', value: '/source' },
          { line: 5, name: 'COPY', from: undefined, sources: ['a', 'b'], destination: './' },
          { line: 6, name: 'ENV', variable: 'A', value: '1' },
          { line: 7, name: 'ARG', variable: 'PACKAGE', value: undefined },
          { line: 8, name: 'RUN', command: 'one two' },
        ],
      },
      { name: '1', base: 'node', instructions: [{ line: 12, name: 'ENTRYPOINT', command: ['node', 'main.js'] }] },
    ]);
  });

  it('parseDockerfile refuses a stage for a platform that the replay does not support', () => {
    expect(() => parseDockerfile('FROM --platform=linux/arm64 node AS build\n')).toThrow(/cannot be replayed/);
  });

  it.each([
    ['COPY --parents a b', /line 2: COPY --parents/],
    ['COPY *.json ./', /line 2: COPY \*\.json/],
    ['COPY --from=absent a b', /no earlier stage absent/],
    ['RUN rm -rf /app', /absolute path/],
    ['RUN echo "/etc"', /absolute path/],
    ['RUN --mount=type=cache npm ci', /cannot be replayed/],
    ['ENTRYPOINT node main.js', /JSON array/],
    ['ADD a b', /ADD cannot be replayed/],
  ])(
    'parseDockerfile refuses an instruction that the replay cannot carry out like Docker: %s',
    (instruction, problem) => {
      expect(() => parseDockerfile(`FROM node\n${instruction}\n`)).toThrow(problem);
    },
  );

  it('the Dockerfile of the project is parsed, and its last stage does not run as root', () => {
    const stages = parseDockerfile(textOf('deploy/docker/Dockerfile'));
    expect(stages.at(-1)?.instructions).toContainEqual(expect.objectContaining({ name: 'USER', value: 'node' }));
  });

  it('the Dockerfile of the project installs by npm ci alone, so that a build fails where it would change the lock file', () => {
    const stages = parseDockerfile(textOf('deploy/docker/Dockerfile'));
    const commands = stages.flatMap(({ instructions }) =>
      instructions.flatMap((each) => (each.name === 'RUN' ? [each.command] : [])),
    );
    const words = commands.flatMap((command) =>
      [...command.matchAll(/\b(?:npm|npx)\s+(\S+)/g)].map(([, word]) => word),
    );
    expect(words).toEqual(['ci', 'pkg', '--no', 'ci']);
  });

  it('the Dockerfile of the project has RUN only on the platform of the builder and needs no emulation', () => {
    const runs = textOf('deploy/docker/Dockerfile')
      .split(/^(?=FROM )/m)
      .filter((stage) => /^RUN /m.test(stage));
    expect(runs.length).toBeGreaterThan(0);
    for (const stage of runs) expect(stage).toMatch(/^FROM --platform=\$BUILDPLATFORM /);
  });

  it('parseDockerfile replaces variables by their values, unknown ones by nothing', () => {
    expect(expand(`/app/$\{PACKAGE}/$FILE$NONE`, { PACKAGE: 'services/keys', FILE: 'main' })).toBe(
      '/app/services/keys/main',
    );
  });
});

describe('.dockerignore', () => {
  const ignored = dockerignore
    .default()
    .add('# comment\n**/node_modules\n/docs\n**/*.test.ts\na?c\n**/*.md\n!README.md\n');

  it.each([
    ['node_modules', true],
    ['libs/a/node_modules/b/c.js', true],
    ['docs/a/b', true],
    ['libs/docs', false],
    ['docs2', false],
    ['src/a.test.ts', true],
    ['a.test.ts', true],
    ['a.test.tsx', false],
    ['abc', true],
    ['a/c', false],
    ['libs/README.md', true],
    ['README.md', false],
  ])('.dockerignore decides whether %s is ignored: %s', (path, expected) => {
    expect(ignored.ignores(path)).toBe(expected);
  });

  it('.dockerignore excludes local files from the images', () => {
    const own = dockerignore.default().add(textOf('.dockerignore'));
    for (const path of [
      'node_modules/a',
      'libs/ids/dist/index.js',
      '.local/ready.json',
      '.git/config',
      'proto/gen/a.ts',
    ])
      expect([path, own.ignores(path)]).toEqual([path, true]);
    for (const path of ['package-lock.json', '.npmrc', 'proto/buf.gen.yaml', 'services/keys/src/main.ts', 'turbo.json'])
      expect([path, own.ignores(path)]).toEqual([path, false]);
  });
});
