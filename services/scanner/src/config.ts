import { delimiter } from 'node:path';
import {
  type Environment,
  grpcTarget,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  kafkaRules,
  kafkaSettings,
  list,
  port,
  type Rule,
  readConfig,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';
import { isCidr, nameRefusalOf } from '@shopscope/outbound-http';

const schema = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...kafkaSettings,
  ADMIN_PORT: port().default(9085),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  /** The URL of the page about the robot. The User-Agent header has it in a comment, and a parenthesis would end that comment. */
  BOT_INFO_URL: url(['http:', 'https:'])
    .refine((text) => !/[()]/.test(text), 'must not contain parentheses')
    .transform((text) => new URL(text).href)
    .optional(),
  /**
   * The paths of files with test hosts and their addresses, separated like the paths in PATH. Test hosts are allowed only in development
   * and test.
   */
  SHOPSCOPE_SCAN_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(delimiter).filter((path) => path !== '')),
  /**
   * Public names that are nearly always reachable. If visits fail and none of these names can be reached, this system's access to the web
   * is broken. The list has at least two names or none, because a single name may itself have an outage.
   */
  CANARY_NAMES: list()
    .refine((names) => names.every((name) => isHostname(name) && !nameRefusalOf(name)), 'must be public host names')
    .refine((names) => names.length !== 1 && names.length <= 10, 'must have two to ten names, or none')
    .default([]),
  SCAN_CONCURRENCY: integer({ min: 1, max: 64 }).default(4),
  /** The minimum pause between two requests to one host. */
  SCAN_HOST_DELAY_MS: integer({ min: 0, max: 60_000 }).default(250),
  SCAN_TIMEOUT_MS: integer({ min: 100, max: 120_000 }).default(30_000),
  SCAN_REQUEST_TIMEOUT_MS: integer({ min: 50, max: 60_000 }).default(10_000),
  /** The limit of the CPU time in which the examiner reads everything that a site sends in one scan. */
  SCAN_EXAMINE_CPU_MS: integer({ min: 100, max: 60_000 }).default(5_000),
  /** The limit of the resident memory of the examiner process. */
  SCAN_EXAMINE_MEMORY_MB: integer({ min: 384, max: 8_192 }).default(640),
  SCAN_LEASE_WAIT_MS: integer({ min: 1, max: 7_000 }).default(5_000),
  SCAN_STOP_GRACE_MS: integer({ min: 0, max: 20_000 }).default(8_000),
  /** Networks with public addresses that the scanner must not reach, for example the networks of its own cluster. */
  SCAN_DENIED_CIDRS: list()
    .refine((cidrs) => cidrs.every(isCidr), 'must be networks such as 203.0.113.0/24')
    .default([]),
});

/** Whether the name is a host name in lower case and in Punycode, which is the form that the URL parser returns. */
const isHostname = (name: string): boolean => URL.parse(`https://${name}/`)?.hostname === name;

export type ScannerConfig = z.output<typeof schema>;

const scanHostsRule: Rule = ({ SHOPSCOPE_SCAN_HOSTS, SHOPSCOPE_ENV = 'production' }) =>
  SHOPSCOPE_SCAN_HOSTS && SHOPSCOPE_ENV === 'production'
    ? ['SHOPSCOPE_SCAN_HOSTS: test hosts may be scanned only where SHOPSCOPE_ENV is development or test']
    : [];

/** Throws a ConfigError that lists every invalid setting. */
export function loadConfig(env: Environment): ScannerConfig {
  return readConfig(schema, env, [kafkaRules, grpcTlsRule('scanner'), scanHostsRule]);
}
