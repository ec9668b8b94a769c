import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { ServiceShell } from '@shopscope/lifecycle';
import type { Mongo } from '@shopscope/mongo';
import type { ChangePage } from '../../changes/domain/change.ts';
import { createRecentPages } from '../../changes/outbound/recent-pages.ts';
import { createStoreHistoryStore } from '../../changes/outbound/store-histories.ts';
import type { DashboardConfig } from '../../config.ts';
import type { StoreCount } from '../../find-stores/domain/answers.ts';
import { createDashboardKeyStore } from '../../keys/outbound/dashboard-keys.ts';
import { createGatewayReports } from '../../keys/outbound/gateway-reports.ts';
import type { ListName } from '../../lists/domain/list-name.ts';
import { createListImportStore } from '../../lists/outbound/list-imports.ts';
import { createMcpLimits } from '../../mcp/domain/mcp-limits.ts';
import { createMcpMessages } from '../../mcp/outbound/mcp-messages.ts';
import { createMcpUnits } from '../../mcp/outbound/mcp-units.ts';
import type { DashboardMetrics } from '../../metrics.ts';
import { createAuditOutbox } from '../../people/outbound/audit-outbox.ts';
import { createAuth, newAuthId } from '../../people/outbound/auth.ts';
import { createFreeWorkspaceStore } from '../../people/outbound/free-workspaces.ts';
import { createInvitationStore } from '../../people/outbound/invitations.ts';
import { createOrganizationStore } from '../../people/outbound/organizations.ts';
import { createPeopleStore } from '../../people/outbound/people.ts';
import { createSecondFactorStore } from '../../people/outbound/second-factors.ts';
import { createSessionStore } from '../../people/outbound/sessions.ts';
import { createTechnologyCounts } from '../../public-site/outbound/technology-counts.ts';
import { createRequestStore } from '../../requests/outbound/request-batches.ts';
import { createStatusDayStore } from '../../status/outbound/status-days.ts';
import { createStoreLookupStore } from '../../stores/outbound/store-lookups.ts';
import { createKeyActivityStore } from '../../usage/outbound/key-activity.ts';
import { createAlertMailStore } from '../../webhooks/outbound/alert-mails.ts';
import { createAlertStore } from '../../webhooks/outbound/alerts.ts';
import { createBackground } from '../operations/background.ts';
import { createKnownVisitors } from '../outbound/known-visitors.ts';
import { createQueues } from '../outbound/request-queue.ts';
import { createTeamStore } from '../outbound/team.ts';
import type { connect } from './connect.ts';

/** The dependencies of the operations: one object, which the composition root creates once. */
export type Dependencies = ReturnType<typeof createDependencies>;

export function createDependencies(
  config: DashboardConfig,
  { logger, resources }: ServiceShell,
  options: {
    mongo: Mongo;
    clients: Awaited<ReturnType<typeof connect>>['clients'];
    clock: Clock;
    metrics: DashboardMetrics;
  },
) {
  const { mongo, clients, clock, metrics } = options;
  const { db } = mongo;
  const { transact, sendMail } = clients;
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  const queues = createQueues(clock);
  const background = createBackground(logger);
  resources.onStop('work in the background', background.stop);
  const organizations = createOrganizationStore(db, transact, newAuthId);
  const invitations = createInvitationStore({ db, transact, organizations, newId: newAuthId });
  const freeWorkspaces = createFreeWorkspaceStore(db);
  const given = {
    url: config.DASHBOARD_URL,
    secret: config.SESSION_SECRET,
    openSignUp: config.SIGN_UP === 'open',
    logger,
  };
  return {
    ...clients,
    ...given,
    clock,
    metrics,
    queues,
    background,
    organizations,
    invitations,
    freeWorkspaces,
    apiUrl: config.PUBLIC_API_URL,
    /** The name on the button of single sign-on. */
    singleSignOnName: config.OIDC_NAME,
    exampleStores: config.EXAMPLE_STORES,
    auth: createAuth({
      ...given,
      mongo,
      sendMail,
      isInvited: invitations.isInvited,
      runInBackground: background.run,
      singleSignOn: issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined,
    }),
    people: createPeopleStore(db, transact, freeWorkspaces),
    sessions: createSessionStore(db),
    secondFactors: createSecondFactorStore(db),
    team: createTeamStore(db),
    /** Entries of the audit log that the keys service has not recorded yet. */
    auditOutbox: createAuditOutbox(db),
    dashboardKeys: createDashboardKeyStore(db),
    keyActivity: createKeyActivityStore(db),
    requests: ofEach((environment) => createRequestStore(db, environment)),
    lookups: ofEach((environment) => createStoreLookupStore(db, environment)),
    histories: ofEach((environment) => createStoreHistoryStore(db, environment)),
    listImports: ofEach((environment) => createListImportStore(db, environment)),
    statusDays: createStatusDayStore(db),
    alerts: createAlertStore(db),
    alertMails: createAlertMailStore(db),
    mcpUnits: ofEach((environment) => createMcpUnits(db, environment)),
    mcpDailyUnits: config.MCP_DAILY_UNITS,
    // They are in the memory of this instance.
    mcpMessages: createMcpMessages(queues.work, createMcpLimits(config, queues.work.taken)),
    visitors: createKnownVisitors(clock),
    reports: createGatewayReports({ clock }),
    changePages: createRecentPages<ChangePage>(clock),
    technologyCounts: createTechnologyCounts({ search: clients.search, clock }),
    storeCounts: createRecentPages<StoreCount>(clock),
    listNames: createRecentPages<ListName[]>(clock),
  };
}

/** A part for the data of each environment. */
const ofEach = <Part>(create: (environment: Environment) => Part): Readonly<Record<Environment, Part>> => ({
  live: create('live'),
  test: create('test'),
});
