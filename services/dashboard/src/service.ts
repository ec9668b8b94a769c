import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, mongoOptions, type PeerName, redisOptions } from '@shopscope/config';
import { connectPeer, createGrpcServer, openGrpcSecurity, type UnaryDefinition } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { closeServer, listen, type RunningService, startShell } from '@shopscope/lifecycle';
import { connectMongo, createTransact, ensureIndexes } from '@shopscope/mongo';
import {
  DashboardServiceService,
  KeysServiceService,
  MeteringServiceService,
  ScanSchedulerServiceService,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import { createRedis } from '@shopscope/redis';
import { Counter, Histogram, type Logger } from '@shopscope/telemetry';
import type { ServerBuild } from 'react-router';
import { createPageLimits } from './app/domain/page-limits.ts';
import { membersMax } from './app/domain/workspace-limits.ts';
import { createPublicServer } from './app/inbound/public-server.ts';
import { createBackground } from './app/operations/background.ts';
import { createVisitorOf } from './app/operations/visitor-of.ts';
import { createWorkspaces } from './app/operations/workspaces.ts';
import { countMails } from './app/outbound/counted-mails.ts';
import { createDevelopmentMails, developmentMailIndexes } from './app/outbound/development-mails.ts';
import { createQueues } from './app/outbound/fair-queue.ts';
import { createGatewayClient } from './app/outbound/gateway.ts';
import { createKnownVisitors } from './app/outbound/known-visitors.ts';
import { createMemberStore } from './app/outbound/members.ts';
import { createSmtpMailer } from './app/outbound/smtp.ts';
import { createTeamStore } from './app/outbound/team.ts';
import { createThrottle } from './app/outbound/throttle.ts';
import type { Application } from './app/wiring/application.ts';
import { createApp } from './app/wiring/create-app.ts';
import type { DashboardConfig } from './config.ts';
import { createTryOut } from './documentation/operations/try-out.ts';
import { consumeGatewayReports } from './keys/inbound/consume-gateway-reports.ts';
import { createDashboardKeys } from './keys/operations/dashboard-keys.ts';
import { createKeys } from './keys/operations/keys.ts';
import { createMadeKeys } from './keys/operations/made-keys.ts';
import { createDashboardKeyStore } from './keys/outbound/dashboard-keys.ts';
import { createGatewayReports } from './keys/outbound/gateway-reports.ts';
import { createKeysClient } from './keys/outbound/keys.ts';
import { createMcpLimits } from './mcp/domain/mcp-limits.ts';
import { createMcp } from './mcp/operations/mcp.ts';
import { createMcpMessages } from './mcp/outbound/mcp-messages.ts';
import { createMcpUnits, mcpUnitsIndexes } from './mcp/outbound/mcp-units.ts';
import { dashboardAccess } from './people/inbound/access.ts';
import { dashboardHandlers } from './people/inbound/handlers.ts';
import { createAccount } from './people/operations/account.ts';
import { createAudit } from './people/operations/audit.ts';
import { startAuditDelivery } from './people/operations/deliver-audit-entries.ts';
import { createFreeWorkspaces } from './people/operations/free-workspaces.ts';
import { createInvitations } from './people/operations/invitations.ts';
import { createMemberChanges } from './people/operations/member-changes.ts';
import { createMembers } from './people/operations/members.ts';
import { createPasswords } from './people/operations/passwords.ts';
import { createSecondFactor } from './people/operations/second-factor.ts';
import { createSessions } from './people/operations/sessions.ts';
import { createSignUp } from './people/operations/sign-up.ts';
import { createSingleSignOn } from './people/operations/single-sign-on.ts';
import { createWorkspaceSettings } from './people/operations/workspace-settings.ts';
import { auditOutboxIndexes, createAuditOutbox } from './people/outbound/audit-outbox.ts';
import { createAuth, newAuthId } from './people/outbound/auth.ts';
import { authIndexes } from './people/outbound/auth-indexes.ts';
import { createFreeWorkspaceStore, freeWorkspaceIndexes } from './people/outbound/free-workspaces.ts';
import { createInvitationStore } from './people/outbound/invitations.ts';
import { createOrganizationStore } from './people/outbound/organizations.ts';
import { addressChangeIndexes, createPeopleStore } from './people/outbound/people.ts';
import { createSecondFactorStore } from './people/outbound/second-factors.ts';
import { createSessionStore } from './people/outbound/sessions.ts';
import { createPublicSite } from './public-site/operations/public-site.ts';
import { createProfilesClient } from './public-site/outbound/profiles.ts';
import { consumeRequests } from './requests/inbound/consume-requests.ts';
import { createRequestLog } from './requests/operations/request-log.ts';
import { requestBatchIndexes } from './requests/outbound/request-batches.ts';
import { createRequestStore } from './requests/outbound/request-log.ts';
import { requestIndexes } from './requests/outbound/requests.ts';
import { startServiceStatus } from './status/operations/service-status.ts';
import { createStatusDayStore, statusDayIndexes } from './status/outbound/status-days.ts';
import { createCallEnrich, createCallWithKey } from './stores/operations/call-gateway.ts';
import { createStoreLists } from './stores/operations/store-lists.ts';
import { createStores } from './stores/operations/stores.ts';
import { createReadUnseenStore } from './stores/operations/unseen-store.ts';
import { createScanSchedulerClient } from './stores/outbound/scan-scheduler.ts';
import { createStoreListStore, storeListBatchIndexes, storeListIndexes } from './stores/outbound/store-lists.ts';
import { createStoreLookupStore, storeLookupIndexes } from './stores/outbound/store-lookups.ts';
import { consumeKeyActivity } from './usage/inbound/consume-key-activity.ts';
import { createActivity } from './usage/operations/activity.ts';
import { createUsage } from './usage/operations/usage.ts';
import { createKeyActivityStore, keyActivityIndexes } from './usage/outbound/key-activity.ts';
import { createMeteringClient } from './usage/outbound/metering.ts';

export interface DashboardOverrides {
  logger?: Logger;
  clock?: Clock;
  onFatal?: (error: unknown) => void;
  processMetrics?: boolean;
}

const webFolder = join(import.meta.dirname, '../gen/web');

/** The composition root. It registers the cleanup of each resource when it creates it. */
export async function startDashboard(
  config: DashboardConfig,
  overrides: DashboardOverrides = {},
): Promise<RunningService> {
  const shell = await startShell({ name: 'dashboard', config, ...overrides });
  const { logger, registry, resources } = shell;
  const clock = overrides.clock ?? systemClock;
  try {
    const mongo = await connectMongo({ ...mongoOptions(config), appName: 'dashboard', logger, registry });
    resources.onStop('mongodb', mongo.close);
    shell.addCheck('mongodb', () => mongo.available);
    await ensureIndexes(mongo.db, {
      ...authIndexes,
      development_mails: developmentMailIndexes,
      key_activity: keyActivityIndexes,
      request_batches: requestBatchIndexes,
      requests: requestIndexes,
      audit_outbox: auditOutboxIndexes,
      address_changes: addressChangeIndexes,
      free_workspaces: freeWorkspaceIndexes,
      status_days: statusDayIndexes,
      dashboard_keys: [],
      mcp_units: mcpUnitsIndexes,
      store_lookups: storeLookupIndexes,
      store_lists: storeListIndexes,
      store_list_batches: storeListBatchIndexes,
    });
    const transact = createTransact(mongo);

    const redis = createRedis({ ...redisOptions(config), use: 'throttling', logger, registry });
    resources.onStop('redis', () => redis.close());
    const throttle = createThrottle(redis);

    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const connect = <D extends UnaryDefinition>(name: PeerName, address: string, definition: D) => {
      const peer = connectPeer({ definition, address, registry, security: security.towards(name) });
      resources.onStop(`client of ${name}`, peer.close);
      return peer;
    };
    const keysPeer = connect('keys', config.KEYS_ADDRESS, KeysServiceService);
    const meteringPeer = connect('metering', config.METERING_ADDRESS, MeteringServiceService);
    const profilesPeer = connect('profiles', config.PROFILES_ADDRESS, ZeroCopyProfilesService);
    const schedulerPeer = connect('scan-scheduler', config.SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService);
    const keys = createKeysClient(keysPeer.client);
    const metering = createMeteringClient(meteringPeer.client);
    const profiles = createProfilesClient(profilesPeer.client);
    const { https } = security;
    const gateway = createGatewayClient({
      address: config.GATEWAY_ADDRESS,
      towards: https && (() => https.towards('gateway')),
    });
    resources.onStop('client of gateways', gateway.close);

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', () => kafka.close());
    const producer = createProducer(kafka);
    resources.onStop('kafka producer', () => producer.close());
    const reports = createGatewayReports({ clock });
    const gatewayReports = await consumeGatewayReports({
      kafka,
      producer,
      instanceId: config.INSTANCE_ID,
      reports,
      clock,
      onFatal: overrides.onFatal ?? ((error) => logger.fatal({ err: error }, 'the consumer of gateway reports failed')),
    });
    resources.onStop('gateway reports', () => gatewayReports.stop());

    const developmentMails = config.DEVELOPMENT_MAIL ? createDevelopmentMails(mongo.db) : undefined;
    const smtp = config.MAIL_URL ? createSmtpMailer({ url: config.MAIL_URL, from: config.MAIL_FROM }) : undefined;
    if (smtp) resources.onStop('mail', async () => smtp.close());
    const deliver = smtp ?? developmentMails?.send;
    if (!deliver) throw new Error('either MAIL_URL or DEVELOPMENT_MAIL is set');
    const sendMail = countMails(deliver, registry);

    const serviceStatus = startServiceStatus({
      probes: {
        api: gateway.probe,
        keys: keysPeer.probe,
        lookups: profilesPeer.probe,
        usage: meteringPeer.probe,
        scans: schedulerPeer.probe,
      },
      days: createStatusDayStore(mongo.db),
      clock,
      logger,
    });
    resources.onStop('service status', serviceStatus.stop);

    const background = createBackground(logger);
    resources.onStop('work in the background', background.stop);
    const organizations = createOrganizationStore(mongo.db, transact, newAuthId);
    const invitationStore = createInvitationStore({
      db: mongo.db,
      transact,
      organizations,
      newId: newAuthId,
      membersMax,
    });
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config;
    const auth = createAuth({
      mongo,
      url: config.DASHBOARD_URL,
      secret: config.SESSION_SECRET,
      openSignUp: config.SIGN_UP === 'open',
      isInvited: invitationStore.isInvited,
      sendMail,
      logger,
      runInBackground: background.run,
      singleSignOn:
        OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET
          ? { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET }
          : undefined,
    });
    const members = createMemberStore(mongo.db);
    const activity = createActivity({ store: createKeyActivityStore(mongo.db), clock });

    const activityConsumer = await consumeKeyActivity({
      kafka,
      producer,
      activity,
      clock,
      onFatal:
        overrides.onFatal ?? ((error) => logger.fatal({ err: error }, 'the consumer has stopped after a fatal error')),
    });
    resources.onStop('consumer of key activity', activityConsumer.stop);

    const requestLog = createRequestLog({
      store: createRequestStore(mongo.db),
      clock,
      apiUrl: config.PUBLIC_API_URL,
    });
    const requestConsumer = await consumeRequests({
      kafka,
      producer,
      requestLog,
      clock,
      onFatal: overrides.onFatal ?? ((error) => logger.fatal({ err: error }, 'the consumer of requests failed')),
    });
    resources.onStop('consumer of requests', requestConsumer.stop);

    const freeWorkspaces = createFreeWorkspaceStore(mongo.db);
    const people = createPeopleStore(mongo.db, transact, freeWorkspaces);
    const audit = createAuditOutbox(mongo.db);
    const auditDelivery = startAuditDelivery({ outbox: audit, keys, clock, logger });
    resources.onStop('delivery of audit entries', auditDelivery.stop);
    const visitors = createKnownVisitors(clock);
    const shared = {
      visitors,
      auth,
      clock,
      logger,
      url: config.DASHBOARD_URL,
      secret: config.SESSION_SECRET,
      openSignUp: config.SIGN_UP === 'open',
      throttle,
      sessions: createSessionStore(mongo.db),
      secondFactors: createSecondFactorStore(mongo.db),
      transact,
      members,
      organizations,
      people,
      audit,
      keys,
      background,
      sendMail,
    };
    const sessions = createSessions(shared);
    const invitations = createInvitations({ ...shared, invitations: invitationStore });
    const team = createTeamStore(mongo.db);
    const auditLog = createAudit({ keys, team, clock });
    const madeKeys = createMadeKeys({ keys, team, clock });
    const dashboardKeys = createDashboardKeys({
      keys,
      store: createDashboardKeyStore(mongo.db),
      clock,
      secret: config.SESSION_SECRET,
    });
    const callWithKey = createCallWithKey(dashboardKeys);
    const enrich = createCallEnrich({ gateway, callWithKey, logger });
    const lookups = createStoreLookupStore(mongo.db);
    const scans = createScanSchedulerClient(schedulerPeer.client);
    const readUnseen = createReadUnseenStore({ scans, logger });
    const usage = createUsage({ keys, metering, audit: auditLog, clock });
    const lists = createStoreListStore(mongo.db, transact);
    const application: Application = {
      sessions,
      workspaces: createWorkspaces({ members, visitors }),
      usage,
      activity,
      requestLog,
      stores: createStores({ enrich, lookups, scans, readUnseen, clock }),
      storeLists: createStoreLists({ enrich, lists, usage, clock }),
      dashboardKeys,
      tryOut: createTryOut({ gateway, callWithKey, clock }),
      keys: createKeys({ keys, team, reports, clock }),
      madeKeys,
      members: createMembers({ ...shared, team, audit: auditLog, invitations: invitationStore }),
      memberChanges: createMemberChanges({ ...shared, team, auditLog, madeKeys }),
      workspaceSettings: createWorkspaceSettings(shared),
      audit: auditLog,
      publicApiUrl: config.PUBLIC_API_URL,
      dashboardUrl: config.DASHBOARD_URL,
      serviceStatus,
      publicSite: createPublicSite({ profiles, readUnseen, examples: config.EXAMPLE_STORES }),
      invitations,
      signUp: createSignUp({ ...shared, sessions }),
      freeWorkspaces: createFreeWorkspaces({ ...shared, store: freeWorkspaces }),
      passwords: createPasswords(shared),
      secondFactor: createSecondFactor(shared),
      account: createAccount(shared),
      singleSignOn: OIDC_ISSUER ? createSingleSignOn({ auth, name: config.OIDC_NAME }) : undefined,
      developmentMails,
    };

    const duration = new Histogram({
      name: 'page_duration_seconds',
      help: 'Time until a page was sent, by method, status and what it failed by: none, caller, limit, service',
      labelNames: ['method', 'status', 'fault'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
    const publicPages = new Counter({
      name: 'public_pages_total',
      help: 'Answers of public pages: stored, rendered, failed, limited, moved',
      labelNames: ['result'],
      registers: [registry],
    });
    const waited = new Histogram({
      name: 'request_wait_seconds',
      help: 'Time that an admitted request waited for the rate of its caller and for its turn',
      buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
    const refused = new Counter({
      name: 'refused_requests_total',
      help: 'Requests that a limit of this service refused, by status: 429 (limit of a caller), 503 (too many in all)',
      labelNames: ['status'],
      registers: [registry],
    });
    const mcpMessages = new Counter({
      name: 'mcp_messages_total',
      help: 'Answered MCP messages, by HTTP status and what they failed by: none, caller, limit, service',
      labelNames: ['status', 'fault'],
      registers: [registry],
    });
    const mcpToolCalls = new Counter({
      name: 'mcp_tool_calls_total',
      help: 'Calls of MCP tools: answered, budget_spent, refused (by the API), failed',
      labelNames: ['tool', 'result'],
      registers: [registry],
    });
    const queues = createQueues(clock);
    const mcp = createMcp({
      ...{ gateway, throttle, clock },
      messages: createMcpMessages(queues.work, createMcpLimits(config, queues.work.taken)),
      budgetStore: createMcpUnits(mongo.db),
      dailyUnits: config.MCP_DAILY_UNITS,
      onToolCall({ tool, result, units, error }, { keyId, origin }) {
        mcpToolCalls.inc({ tool, result });
        const line = { requestId: origin.requestId, keyId, tool, result, units };
        if (result === 'failed') logger.error({ ...line, err: error }, 'MCP tool');
        else logger.info(line, 'MCP tool');
      },
    });
    const build = (await import(pathToFileURL(join(webFolder, 'server/index.js')).href)) as ServerBuild;
    const app = createApp({
      application,
      mcp,
      auth,
      webFolder,
      build,
      url: config.DASHBOARD_URL,
      siteUrl: config.PUBLIC_SITE_URL,
      throttle,
      queues,
      pageLimits: createPageLimits(config),
      visitorOf: createVisitorOf(visitors),
      trustedProxies: config.TRUSTED_PROXIES,
      logger,
      clock,
      onResponse: ({ seconds, ...labels }) => duration.observe(labels, seconds),
      onPublicPage: (result) => publicPages.inc({ result }),
      onWaited: (seconds) => waited.observe(seconds),
      onRefused: (status) => refused.inc({ status: String(status) }),
      onMcpAnswer: (labels) => mcpMessages.inc(labels),
    });
    const server = createPublicServer(app);
    const port = await listen(server, config);
    resources.onStop('http server', () => closeServer(server));
    const grpcServer = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    grpcServer.addService(DashboardServiceService, dashboardHandlers({ invitations }), dashboardAccess);
    const grpcAddress = await grpcServer.listen();
    resources.onStop('grpc server', () => grpcServer.stop());
    resources.onStop('waits of MCP messages', async () => mcp.stop());
    resources.onStop('readiness', shell.drain);

    shell.markReady();
    return {
      name: 'dashboard',
      httpUrl: `http://${config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST}:${port}`,
      grpcAddress,
      adminUrl: shell.adminUrl,
      pending: async () => (await activityConsumer.lag()) + (await requestConsumer.lag()) + (await audit.pending()),
      stop: resources.stop,
    };
  } catch (error) {
    await resources.stop();
    throw error;
  }
}
