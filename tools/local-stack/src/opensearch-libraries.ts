import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedPrograms, serverVersions } from './artifacts.ts';
import type { FetchOptions } from './download.ts';
import { LocalStackError } from './error.ts';
import { type MavenProgram, mavenLibraries } from './maven-libraries.ts';
import { launcherSource } from './opensearch-launcher.ts';
import { isInstalled, run } from './run.ts';

const { opensearch: version } = serverVersions;
/** OpenSearch 2.19.6 comes with log4j-api of this version, and log4j-core must have the same. */
const log4jVersion = '2.25.4';
const compileTimeoutMs = 120_000;

const program: MavenProgram = {
  name: `OpenSearch ${version}`,
  sizeMb: 46,
  urlVariable: 'SHOPSCOPE_OPENSEARCH_URL',
  folder: cachedPrograms.opensearch,
  artifacts: [
    `org.opensearch:opensearch:${version}`,
    `org.opensearch:opensearch-plugin-classloader:${version}`,
    ...['transport-netty4-client', 'analysis-common', 'lang-painless'].map(
      (plugin) => `org.opensearch.plugin:${plugin}:${version}`,
    ),
    `org.apache.logging.log4j:log4j-core:${log4jVersion}`,
  ],
  complete: addLauncher,
};

/** Resolves to the folder of the jars, which include the program that runs a node. */
export const openSearchLibraries = (options: FetchOptions): Promise<string> => mavenLibraries(program, options);

/** Java stores the classes of jars only, so the compiled launcher is a jar. */
async function addLauncher(jars: string, { abort }: FetchOptions): Promise<void> {
  if (!(await isInstalled('javac', ['--version']))) {
    throw new LocalStackError(
      'OpenSearch needs the compiler of a JDK, javac, which is missing; install a JDK of version 17 or newer, or set SHOPSCOPE_OPENSEARCH_URL.',
    );
  }
  const folder = join(dirname(jars), 'launcher');
  const source = join(folder, 'Launcher.java');
  const classes = join(folder, 'classes');
  await mkdir(classes, { recursive: true });
  await writeFile(source, launcherSource);
  const bounds = { timeoutMs: compileTimeoutMs, abort };
  await run('javac', ['--release', '17', '-classpath', `${jars}/*`, '-d', classes, source], bounds);
  await run('jar', ['--create', '--file', join(jars, 'launcher.jar'), '-C', classes, '.'], bounds);
}
