import { isAddressOrRange } from '@shopscope/client-address';
import {
  type Environment,
  flag,
  grpcTarget,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  kafkaRules,
  kafkaSettings,
  list,
  mongoRules,
  mongoSettings,
  port,
  type Rule,
  readConfig,
  redisRules,
  redisSettings,
  secret,
  secretRule,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { defaultPageLimits } from './app/domain/page-limits.ts';
import { defaultMcpLimits } from './mcp/domain/mcp-limits.ts';

const isCanonicalDomain = (text: string) => {
  const canonical = canonicalizeDomain(text);
  return canonical.ok && canonical.value.domain === text;
};

const base = () => url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, ''));

const limit = (fallback: number) => integer({ min: 1, max: 10_000_000 }).default(fallback);
/** Returns a setting of the same name for each default. */
const limits = <Name extends string>(defaults: Readonly<Record<Name, number>>) =>
  Object.fromEntries(Object.entries<number>(defaults).map(([name, fallback]) => [name, limit(fallback)])) as Record<
    Name,
    ReturnType<typeof limit>
  >;

/** operating.md describes the settings. */
const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('dashboard'),
  ...kafkaSettings,
  ...redisSettings,
  /** The prefix differs from the gateway's, because both may use one Redis, each with its own user. */
  REDIS_KEY_PREFIX: z.string().max(100).default('dashboard:'),
  ADMIN_PORT: port().default(9086),
  HTTP_PORT: port().default(8090),
  GRPC_PORT: port().default(50056),
  KEYS_ADDRESS: grpcTarget(),
  METERING_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  SEARCH_ADDRESS: grpcTarget(),
  WEBHOOKS_ADDRESS: grpcTarget(),
  GATEWAY_ADDRESS: z.string().regex(/^[\w.-]+:\d+$/, 'must be host:port'),
  DASHBOARD_URL: base(),
  PUBLIC_SITE_URL: base().refine((text) => new URL(text).pathname === '/', 'must have no path'),
  EXAMPLE_STORES: list()
    .refine((domains) => domains.length <= 6 && domains.every(isCanonicalDomain), 'must be at most 6 domains of stores')
    .default([]),
  PUBLIC_API_URL: base(),
  SESSION_SECRET: secret(),
  ...limits(defaultMcpLimits),
  MCP_DAILY_UNITS: integer({ min: 0, max: 1_000_000 }).default(200),
  ...limits(defaultPageLimits),
  TRUSTED_PROXIES: list()
    .refine((ranges) => ranges.every(isAddressOrRange), 'must be a list of addresses or CIDR ranges')
    .default([]),
  SIGN_UP: z.enum(['invitation', 'open']).default('invitation'),
  MAIL_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().min(3).max(200).default('Shopscope <no-reply@shopscope.example>'),
  DEVELOPMENT_MAIL: flag().default(false),
  OIDC_ISSUER: url(['http:', 'https:']).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().min(1).max(40).default('single sign-on'),
});

export type DashboardConfig = z.output<typeof settings>;

const mailRule: Rule = ({ SHOPSCOPE_ENV = 'production', MAIL_URL, DEVELOPMENT_MAIL }) => {
  if (DEVELOPMENT_MAIL === 'true') {
    if (SHOPSCOPE_ENV === 'production') return ['DEVELOPMENT_MAIL: must not be true in production'];
    return MAIL_URL ? ['DEVELOPMENT_MAIL: set either DEVELOPMENT_MAIL or MAIL_URL, not both'] : [];
  }
  return MAIL_URL ? [] : ['MAIL_URL: is required, unless DEVELOPMENT_MAIL is true'];
};

const oidcRule: Rule = ({ SHOPSCOPE_ENV = 'production', OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) => {
  const given = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 3) return [];
  const problems = missing.map((name) => `${name}: is required with the other OIDC settings`);
  if (SHOPSCOPE_ENV === 'production' && OIDC_ISSUER?.startsWith('http://')) {
    problems.push('OIDC_ISSUER: must start with https:// in production');
  }
  return problems;
};

const httpsRule: Rule = ({ SHOPSCOPE_ENV = 'production', DASHBOARD_URL = '', PUBLIC_SITE_URL = '' }) =>
  Object.entries({ DASHBOARD_URL, PUBLIC_SITE_URL }).flatMap(([name, value]) =>
    SHOPSCOPE_ENV === 'production' && value.startsWith('http://')
      ? [`${name}: must start with https:// in production`]
      : [],
  );

/** Throws ConfigError with all problems. */
export const loadConfig = (env: Environment): DashboardConfig =>
  readConfig(settings, env, [
    mongoRules,
    kafkaRules,
    redisRules,
    grpcTlsRule('dashboard'),
    mailRule,
    oidcRule,
    httpsRule,
    secretRule('SESSION_SECRET'),
    // The provider generates this secret.
    secretRule('OIDC_CLIENT_SECRET', { lengthMin: 16 }),
  ]);
