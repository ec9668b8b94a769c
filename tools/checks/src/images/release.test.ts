import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../../../..');
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** An expression of a workflow. */
const expression = (text: string) => ['$', `{{ ${text} }}`].join('');

describe('.ci/base-image', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'base-image-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (answer: string) => {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "$@" >> ${folder}/calls\n${answer}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
    const env = { PATH: [folder, process.env.PATH].join(delimiter) };
    const { status, stdout } = spawnSync(join(root, '.ci/base-image'), { env, encoding: 'utf8' });
    return { status, stdout };
  };

  it('.ci/base-image prints the base image of the Dockerfile with the digest that its tag has now', () => {
    expect(run(`echo ${digest}`)).toEqual({ status: 0, stdout: `node:24-bookworm-slim@${digest}\n` });
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('imagetools inspect node:24-bookworm-slim');
  });

  it.each(['exit 1', 'echo', 'echo latest', `echo ${digest}0`])(
    '.ci/base-image fails without a digest: %s',
    (answer) => {
      expect(run(answer)).toMatchObject({ status: 1, stdout: '' });
    },
  );
});

describe('release workflow', () => {
  const { base, image } = workflow.jobs;

  it('the release workflow builds every image from one base image, by its digest', () => {
    expect(base.steps.map(({ run = '' }) => run).join('\n')).toContain('.ci/base-image');
    expect(base.outputs).toEqual({ image: expression('steps.resolve.outputs.image') });
    expect(image.needs).toContain('base');
    const { with: options } = image.steps.find(({ id }: { id?: string }) => id === 'build');
    expect(options['build-args'].trim().split('\n')).toEqual([
      `PACKAGE=${expression('matrix.package')}`,
      `NODE_IMAGE=${expression('needs.base.outputs.image')}`,
    ]);
  });

  it('the release workflow records the base image in a label of each image and in the summary', () => {
    const { with: options } = image.steps.find(({ id }: { id?: string }) => id === 'build');
    expect(options.labels).toContain(
      `org.opencontainers.image.base.name=docker.io/library/${expression('needs.base.outputs.image')}`,
    );
    expect(base.steps.map(({ run = '' }) => run).join('\n')).toMatch(/GITHUB_STEP_SUMMARY/);
  });
});
