import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('routes/entrance/layout.tsx', [
    route('sign-in', 'routes/entrance/sign-in.tsx'),
    route('sign-in/code', 'routes/entrance/sign-in-code.tsx'),
    route('sign-in/single-sign-on', 'routes/entrance/single-sign-on.ts'),
    route('sign-up', 'routes/entrance/sign-up.tsx'),
    route('verify', 'routes/entrance/verify.tsx'),
    route('forgot-password', 'routes/entrance/forgot-password.tsx'),
    route('reset-password', 'routes/entrance/reset-password.tsx'),
    route('confirm', 'routes/entrance/confirm.tsx'),
    route('sign-out', 'routes/entrance/sign-out.ts'),
    route('invitations/:token', 'routes/entrance/invitation.tsx'),
  ]),
  layout('routes/person.tsx', [
    index('routes/home.tsx'),
    layout('routes/account/layout.tsx', [
      route('account', 'routes/account/account.tsx'),
      route('account/address', 'routes/account/address.tsx'),
      route('account/two-factor', 'routes/account/two-factor.tsx'),
      route('account/two-factor/set-up', 'routes/account/two-factor-set-up.tsx'),
      route('account/delete', 'routes/account/delete.tsx'),
    ]),
    route('account/export', 'routes/account/export.ts'),
    ...prefix('workspaces/:workspaceId', [
      layout('routes/workspace/layout.tsx', [
        index('routes/workspace/overview.tsx'),
        route('figures', 'routes/workspace/overview-figures.ts'),
        route('usage', 'routes/workspace/usage.tsx'),
        route('usage/figures', 'routes/workspace/usage-figures.ts'),
        route('usage.csv', 'routes/workspace/usage-csv.ts'),
        route('settings/keys', 'routes/workspace/keys.tsx'),
        route('settings/members', 'routes/workspace/members.tsx'),
        route('settings/plan', 'routes/workspace/plan.tsx'),
        route('settings/audit-log', 'routes/workspace/audit-log.tsx'),
        route('settings/workspace', 'routes/workspace/settings.tsx'),
      ]),
    ]),
  ]),
  route('theme', 'routes/theme.ts'),
  route('development/mail', 'routes/development-mail.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
