import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('routes/entrance/layout.tsx', [
    route('sign-in', 'routes/entrance/sign-in.tsx'),
    route('sign-out', 'routes/entrance/sign-out.ts'),
  ]),
  layout('routes/person.tsx', [
    index('routes/home.tsx'),
    ...prefix('workspaces/:workspaceId', [
      layout('routes/workspace/layout.tsx', [
        index('routes/workspace/overview.tsx'),
        route('usage', 'routes/workspace/usage.tsx'),
        route('settings/keys', 'routes/workspace/keys.tsx'),
        route('settings/keys/new', 'routes/workspace/key-new.tsx'),
        route('settings/keys/:keyId', 'routes/workspace/key.tsx'),
        route('settings/keys/:keyId/status', 'routes/workspace/key-status.ts'),
        route('settings/keys/:keyId/revoke', 'routes/workspace/key-revoke.tsx'),
        route('settings/keys/:keyId/rotate', 'routes/workspace/key-rotate.tsx'),
        route('settings/members', 'routes/workspace/members.tsx'),
        route('settings/members/:userId/remove', 'routes/workspace/member-remove.tsx'),
        route('settings/leave', 'routes/workspace/leave.tsx'),
        route('settings/plan', 'routes/workspace/plan.tsx'),
        route('settings/audit-log', 'routes/workspace/audit-log.tsx'),
        route('settings/audit-log.csv', 'routes/workspace/audit-log-export.ts'),
        route('settings/workspace', 'routes/workspace/settings.tsx'),
        route('settings/workspace/delete', 'routes/workspace/workspace-delete.tsx'),
      ]),
    ]),
  ]),
  route('development/mail', 'routes/development-mail.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
