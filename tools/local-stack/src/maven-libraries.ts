import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { download, type FetchOptions, inWorkFolder, sha256Of } from './download.ts';
import { LocalStackError } from './error.ts';
import { isInstalled, run } from './run.ts';

/** A program of Java that Maven downloads. */
export interface MavenProgram {
  /** With its version. */
  name: string;
  sizeMb: number;
  /** The variable with the address of a running server, which needs no download. */
  urlVariable: string;
  /** Its folder in the cache. */
  folder: string;
  /** In the form group:artifact:version. Maven adds what they depend on. */
  artifacts: readonly string[];
  /** Adds further jars. */
  complete?(jars: string, options: FetchOptions): Promise<void>;
}

/**
 * Resolves to the folder of the jars. Maven's strict checksums verify them at the download. A manifest of SHA-256, which is written at that
 * moment, verifies them at each start.
 */
export async function mavenLibraries(program: MavenProgram, options: FetchOptions): Promise<string> {
  const { cacheDir } = options;
  const { name, artifacts, urlVariable } = program;
  const path = join(cacheDir, program.folder);
  if (await matchesManifest(path)) return path;

  if (!(await isInstalled('mvn', ['--version']))) {
    const product = name.split(' ')[0];
    throw new LocalStackError(
      `${product} is fetched with Maven, which is missing; install maven, or set ${urlVariable}.`,
    );
  }
  await inWorkFolder(cacheDir, async (folder) => {
    await writeFile(join(folder, 'pom.xml'), pom(program.folder, artifacts));
    const jars = join(folder, 'jars');
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
    await download(`${name} (${program.sizeMb} MB)`, options, ({ timeoutMs, abort }) =>
      run('mvn', ['--quiet', '--batch-mode', '--strict-checksums', ...goal], { timeoutMs, abort, cwd: folder }),
    );
    await program.complete?.(jars, options);
    await writeFile(join(jars, manifestName), JSON.stringify(await manifestOf(jars), null, 2));
    await rm(path, { recursive: true, force: true });
    await rename(jars, path).catch(async (error: unknown) => {
      // A concurrent start may have written the same file.
      if (!(await matchesManifest(path))) throw error;
    });
  });
  return path;
}

const manifestName = 'sha256.json';

function pom(name: string, artifacts: readonly string[]): string {
  const dependencies = artifacts.map((each) => {
    const [group, artifact, version] = each.split(':');
    return `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>\n`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shopscope</groupId><artifactId>local-${name}</artifactId><version>1</version>
  <dependencies>
${dependencies.join('')}  </dependencies>
</project>
`;
}

async function manifestOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jar')).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await sha256Of(join(folder, name))])));
}

async function matchesManifest(folder: string): Promise<boolean> {
  const recorded = await readFile(join(folder, manifestName), 'utf8').catch(() => '');
  if (recorded === '') return false;
  return JSON.stringify(await manifestOf(folder), null, 2) === recorded;
}
