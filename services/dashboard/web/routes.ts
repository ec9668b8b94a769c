import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('routes/entrance/layout.tsx', [
    route('sign-in', 'routes/entrance/sign-in.tsx'),
    route('sign-out', 'routes/entrance/sign-out.ts'),
    route('invitations/:token', 'routes/entrance/invitation.tsx'),
  ]),
  layout('routes/person.tsx', [
    index('routes/home.tsx'),
    ...prefix('workspaces/:workspaceId', [
      layout('routes/workspace/layout.tsx', [
        index('routes/workspace/overview.tsx'),
        route('usage', 'routes/workspace/usage.tsx'),
        route('settings/keys', 'routes/workspace/keys.tsx'),
        route('settings/members', 'routes/workspace/members.tsx'),
        route('settings/plan', 'routes/workspace/plan.tsx'),
        route('settings/audit-log', 'routes/workspace/audit-log.tsx'),
        route('settings/workspace', 'routes/workspace/settings.tsx'),
      ]),
    ]),
  ]),
  route('development/mail', 'routes/development-mail.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
