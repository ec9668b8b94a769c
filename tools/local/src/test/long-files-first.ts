import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification, type Vitest } from 'vitest/node';

/**
 * Starts the files of `paths` first, in their order. Without results of an earlier run, vitest starts large files first. Some small files
 * take longest, and a long file that starts last runs while the other workers have nothing left.
 */
export const longFilesFirst = (paths: readonly string[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    readonly #ranks: ReadonlyMap<string, number>;

    constructor(vitest: Vitest) {
      super(vitest);
      const files = paths.map((path) => join(vitest.config.root, path));
      const missing = files.find((file) => !existsSync(file));
      if (missing) throw new Error(`${missing} is among the long test files of vitest.config.ts and does not exist.`);
      this.#ranks = new Map(files.map((file, rank) => [file, rank]));
    }

    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const orderOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
      const rankOf = ({ moduleId }: TestSpecification) => this.#ranks.get(moduleId) ?? paths.length;
      return sorted.toSorted((one, other) => orderOf(one) - orderOf(other) || rankOf(one) - rankOf(other));
    }
  };
