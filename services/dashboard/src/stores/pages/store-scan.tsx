import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, load, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import { loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { Route } from './+types/store-scan';

export const meta: Route.MetaFunction = () => [{ title: 'Request a scan · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { dashboardKeys } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const base = `/workspaces/${params.workspaceId}/stores`;
  const domain = await load(context, async ({ stores }) => stores.domainOf(params.domain));
  if (domain !== params.domain) throw redirect(`${base}/${domain}/scan`);
  const [allowance, access] = await Promise.all([
    loadAllowance(context),
    loadPart(context, dashboardKeys.state(visit)),
  ]);
  const isAdmin = visit.membership.role === 'admin';
  return { base, domain, allowance, isOff: access.value === 'off', isAdmin, token: crypto.randomUUID() };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { stores }) => {
    const asked = { domain: args.params.domain, token: form.text('token') };
    const { id, domain, scanJobId } = await stores.requestScan(workspaceVisit(args.context), asked);
    const base = `/workspaces/${args.params.workspaceId}/stores`;
    throw redirect(scanJobId ? `${base}/scans/${scanJobId}` : `${base}/${domain}?lookup=${id}`);
  });

/** Shows the bill of a scan before it is requested. */
export default function StoreScanPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, domain, allowance, isOff, isAdmin, token } = loaderData;
  return (
    <Page title={`Scan ${domain}`} trail={[{ to: base, label: 'Stores' }]}>
      {isOff && <StoresOff action={base} isAdmin={isAdmin} />}
      <Card className="max-w-[68ch]">
        <PostForm failed={actionData} fields={[]}>
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <ul className="grid list-disc gap-1 pl-5">
            <li>
              A scan of an unknown domain bills 1 live look-up. <UnitsLeft unit="lookup_live" allowance={allowance} />
            </li>
            <li>
              When the store is known, the answer has its profile and bills 1 cached look-up as well.{' '}
              <UnitsLeft unit="lookup_cached" allowance={allowance} />
            </li>
            <li>A scan that this workspace has already requested is joined and bills no live look-up.</li>
            <li>A profile that is fresh for your plan is not scanned again.</li>
            <li>A scan that fails stays billed.</li>
          </ul>
          <div className="flex flex-wrap gap-2">
            <SubmitButton busy="Requesting…" disabled={isOff}>
              Request the scan
            </SubmitButton>
            <ButtonLink to={base}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
