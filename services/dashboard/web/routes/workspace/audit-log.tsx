import { Page } from '../../components/page.tsx';
import type { Route } from './+types/audit-log';

export const meta: Route.MetaFunction = () => [{ title: 'Audit log · Shopscope' }];

export const loader = () => null;

export default function AuditLogPage() {
  return <Page title="Audit log">{null}</Page>;
}
