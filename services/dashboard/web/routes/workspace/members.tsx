import { Page } from '../../components/page.tsx';
import type { Route } from './+types/members';

export const meta: Route.MetaFunction = () => [{ title: 'Members · Shopscope' }];

export const loader = () => null;

export default function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
