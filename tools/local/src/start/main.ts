import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DemoCorpusError,
  fillCorpus,
  generatedStoreCount,
  importGeneratedStores,
  surveyCorpus,
} from '@shopscope/demo-stores';
import { operatorSecurity } from '@shopscope/grpc';
import { endLeftovers, killRecorded, LocalStackError, requireFreePort, type Stack } from '@shopscope/local-stack';
import { certificatesDirectory, tlsVariables, writeDevelopmentCertificates } from '../certificates/certificates.ts';
import { type DataServers, startDataServers, withDataPasswords } from './data-servers.ts';
import { makeDemoList } from './demo-list.ts';
import { createDemoPeople, withPeople } from './demo-people.ts';
import { makeDemoWatchlist } from './demo-watchlist.ts';
import { seedWorkspaces } from './demo-workspace.ts';
import { takeLock } from './lock.ts';
import { migrateServices } from './migrate-services.ts';
import { servicePorts } from './ports.ts';
import { writeReadyFile } from './ready-file.ts';
import { addressOf, dashboardUrl, demoStoresInstance, type Instance, serviceInstances } from './services.ts';
import { readSettings } from './settings.ts';
import { loadState, saveState } from './state.ts';
import { createSupervisor, supervisedNode } from './supervisor.ts';
import { welcome } from './welcome.ts';
import { makeWorkspaceUsage } from './workspace-usage.ts';

/**
 * Runs the whole system on one machine: data servers, demo stores, every service as a process, a demo workspace and a
 * corpus that is filled by scans. It stays in the foreground and restarts ended processes until Ctrl-C.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);

/** One Ctrl-C arrives up to three times: from the terminal, npm and the bootstrap. */
const sameRequestMs = 1_000;

async function start(): Promise<void> {
  const root = resolve(import.meta.dirname, '../../../..');
  const settings = readSettings(process.env, process.argv.slice(2));
  const unlock = takeLock(settings.stateDir);
  let stack: Stack | undefined;
  let instances: Instance[] = [];
  let ready = false;
  const publish = () => {
    if (ready && stack) writeReadyFile(settings, state, stack, instances);
  };
  const supervisor = createSupervisor({ report: say, onChange: publish });
  let state = loadState(settings);

  const abortStart = new AbortController();
  let starting: Promise<DataServers> | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (code: number) => {
    stopping ??= (async () => {
      ready = false;
      rmSync(settings.readyFile, { force: true });
      abortStart.abort(new Error('stopped while starting'));
      await starting?.catch(() => {});
      await supervisor.stop();
      await stack?.stop();
      unlock();
      say('Stopped.');
      process.exit(code);
    })();
    return stopping;
  };
  let askedAtMs = 0;
  const onSignal = () => {
    if (stopping) {
      if (performance.now() - askedAtMs < sameRequestMs) return;
      say('Ending everything at once.');
      killRecorded(settings.stateDir);
      process.exit(1);
    }
    askedAtMs = performance.now();
    say('\nStopping …');
    void stop(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  stopWithParent(() => void stop(0));

  try {
    state = withDataPasswords(settings, state);
    saveState(settings, state);
    await endLeftovers(settings.stateDir);
    for (const { port, what, variable } of servicePorts(settings)) await requireFreePort(port, what, variable);
    say('Starting MongoDB, Kafka, Redis and OpenSearch …');
    starting = startDataServers(settings, state, { env: process.env, report: say, abort: abortStart.signal });
    const dataServers = await starting;
    stack = dataServers.stack;
    await supervisor.add(stack.parts.flatMap(({ nodes }) => nodes).map(supervisedNode));
    const certificates = certificatesDirectory(settings.stateDir);
    if (settings.tls) await writeDevelopmentCertificates(certificates);
    if (dataServers.migrationOf) await migrateServices(root, dataServers.migrationOf, abortStart.signal);
    say(settings.tls ? 'Starting the services, with TLS between them …' : 'Starting the services …');
    const demoStores = demoStoresInstance(settings, { root });
    const instancesOf = serviceInstances(settings, stack, state, { root, env: dataServers.environmentOf });
    instances = [...instancesOf, demoStores];
    await supervisor.add(instances.map(({ member }) => member));

    const security = operatorSecurity(settings.tls ? tlsVariables(certificates, 'operator') : {});
    const seeded = await seedWorkspaces(settings, security, state);
    const peopled = withPeople(seeded);
    state = peopled;
    saveState(settings, state);
    const dashboard = { url: dashboardUrl(settings), address: addressOf(settings, 'dashboard'), security };
    await createDemoPeople(dashboard, { people: peopled.people, workspaceId: seeded.workspaceId }, say);
    const kafkaEnvironment = { KAFKA_BROKERS: stack.kafka.url, ...dataServers.environmentOf('gateway') };
    await makeWorkspaceUsage({ settings, state: seeded, asOperator: security, kafkaEnvironment }).catch((error) =>
      // The charts of the dashboard stay incomplete. The next start makes what is missing.
      say(`The usage of the demo workspace is incomplete: ${(error as Error).message}`),
    );
    const system = {
      apiUrl: `http://127.0.0.1:${settings.ports.gateway}`,
      schedulerAddress: addressOf(settings, 'scan-scheduler'),
      profilesAddress: addressOf(settings, 'profiles'),
      security,
      corpusKey: seeded.corpusKey,
      demoStoresUrl: demoStores.url ?? '',
      report: say,
    };
    if (!state.hasGeneratedStores) {
      say(`Importing ${generatedStoreCount.toLocaleString('en')} generated stores …`);
      await importGeneratedStores(system, Date.now());
      state = { ...state, hasGeneratedStores: true };
      saveState(settings, state);
    }
    const scanFailures = state.domains ? (state.scanFailures ?? {}) : await fillCorpus(system);
    const corpus = await surveyCorpus(system, scanFailures);
    state = { ...state, scanFailures, domains: corpus.domains };
    saveState(settings, state);
    const demo = { apiUrl: system.apiUrl, apiKey: seeded.keys.full, workspaceId: seeded.workspaceId, corpus };
    const mongoEnvironment = { MONGODB_URL: stack.mongodb.url, ...dataServers.environmentOf('subscriptions') };
    // It comes before other events of the workspace, because events of the past cannot follow them.
    const demoWatchlist = await makeDemoWatchlist({
      settings,
      ...demo,
      mongoEnvironment,
      made: state.demoWatchlist,
    }).catch((error) => {
      // The next start makes the watchlist.
      say(`The watchlist of the demo workspace is incomplete: ${(error as Error).message}`);
      return undefined;
    });
    if (demoWatchlist) state = { ...state, demoWatchlist };
    saveState(settings, state);
    const demoList = await makeDemoList({ ...demo, made: state.demoList }).catch((error) => {
      // The next start makes the list.
      say(`The list of the demo workspace was not made: ${(error as Error).message}`);
      return undefined;
    });
    if (demoList) state = { ...state, demoList };
    saveState(settings, state);
    ready = true;
    publish();
    say(welcome(settings, state, corpus));
  } catch (error) {
    if (stopping) return;
    say(
      error instanceof LocalStackError || error instanceof DemoCorpusError
        ? error.message
        : String((error as Error).stack),
    );
    await stop(1);
  }
}

/** The parent may be killed without a signal to this process. Then this process stops in order too. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 1_000).unref();
}

try {
  await start();
} catch (error) {
  if (!(error instanceof LocalStackError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
