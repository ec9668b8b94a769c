import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGrpcServer } from '@shopscope/grpc';
import { closeServer, listen, type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { DashboardServiceService } from '@shopscope/proto';
import type { ServerBuild } from 'react-router';
import { createPublicServer } from './app/inbound/public-server.ts';
import { createApplication } from './app/wiring/application.ts';
import { connect } from './app/wiring/connect.ts';
import { createApp } from './app/wiring/create-app.ts';
import { createDependencies } from './app/wiring/dependencies.ts';
import type { DashboardConfig } from './config.ts';
import { consumeGatewayReports } from './keys/inbound/consume-gateway-reports.ts';
import { createMetrics } from './metrics.ts';
import { dashboardAccess } from './people/inbound/access.ts';
import { dashboardHandlers } from './people/inbound/handlers.ts';
import { startAuditDelivery } from './people/operations/deliver-audit-entries.ts';
import { consumeRequests } from './requests/inbound/consume-requests.ts';
import { startStatusMeasurement } from './status/operations/measure-status.ts';
import { consumeKeyActivity } from './usage/inbound/consume-key-activity.ts';
import { consumeWebhookStates } from './webhooks/inbound/consume-webhook-states.ts';
import { startAlertMails } from './webhooks/operations/send-alert-mails.ts';

const webFolder = join(import.meta.dirname, '../gen/web');

/** The composition root. It registers the cleanup of each resource when it creates it. */
export const startDashboard = (config: DashboardConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'dashboard', config }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const metrics = createMetrics(registry);
    const connected = await connect(config, parts, { clock, metrics });
    const { mongo, security, clients, developmentMails } = connected;
    const deps = createDependencies(config, parts, { mongo, clients, clock, metrics });

    const consuming = { ...connected.consuming, onFatal };
    const reports = await consumeGatewayReports(deps, { ...consuming, instanceId: config.INSTANCE_ID });
    resources.onStop('gateway reports', reports.stop);
    const activity = await consumeKeyActivity(deps, consuming);
    resources.onStop('consumer of key activity', activity.stop);
    const requests = await consumeRequests(deps, consuming);
    resources.onStop('consumer of requests', requests.stop);
    const webhookStates = await consumeWebhookStates(deps, consuming);
    resources.onStop('consumer of webhook states', webhookStates.stop);

    const statusMeasurement = startStatusMeasurement(deps);
    resources.onStop('measurement of the status', statusMeasurement.stop);
    const auditDelivery = startAuditDelivery(deps);
    resources.onStop('delivery of audit entries', auditDelivery.stop);
    const alertMails = startAlertMails(deps);
    resources.onStop('mails about webhooks', alertMails.stop);

    const build = (await import(pathToFileURL(join(webFolder, 'server/index.js')).href)) as ServerBuild;
    const hasIssuer = config.OIDC_ISSUER !== undefined;
    const application = createApplication(deps, { hasIssuer, developmentMails });
    const app = createApp(deps, { config, application, webFolder, build });
    const server = createPublicServer(app);
    const port = await listen(server, config);
    resources.onStop('http server', () => closeServer(server));
    const grpcServer = createGrpcServer({ host: config.HOST, port: config.GRPC_PORT, logger, registry, security });
    grpcServer.addService(DashboardServiceService, dashboardHandlers(deps), dashboardAccess);
    const grpcAddress = await grpcServer.listen();
    resources.onStop('grpc server', () => grpcServer.stop());
    resources.onStop('waits of MCP messages', async () => deps.mcpMessages.endWaits());

    parts.markReady();
    return {
      httpUrl: `http://${config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST}:${port}`,
      grpcAddress,
      pending: async () => {
        const counts = [activity.lag(), requests.lag(), webhookStates.lag(), deps.auditOutbox.pending()];
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
    };
  });
