/** Helpers that tests share. No source of a service or library may import them; `npm run check:dependencies` refuses that. */
export { callsPerCrash, crashMoments } from './crash-moments.ts';
export { type HostileTargets, hostileAddresses, hostileTargets } from './hostile-targets.ts';
export {
  type CollectedEvents,
  type KafkaFunctions,
  type KafkaHarness,
  startKafkaHarness,
} from './kafka-harness.ts';
export { type CrashMoment, killedAtCall } from './killed-at-call.ts';
export { type Breakage, type NameServer, type ServedRecords, startNameServer } from './name-server.ts';
export { type TestNamespace, testNamespace } from './namespace.ts';
export { isNightly, nightlyUnless, runsOf } from './nightly.ts';
export {
  kafkaOptions,
  mongoOptions,
  openSearchEnvironment,
  openSearchOptions,
  redisOptions,
  serviceEnvironment,
} from './settings.ts';
export { startTcpProxy, type TcpProxy, type TcpTarget } from './tcp-proxy.ts';
export { recordingTelemetry, silentTelemetry, type TestTelemetry } from './telemetry.ts';
export { type Truthy, type WaitOptions, waitUntil } from './wait-until.ts';
