import { isolated } from '@shopscope/text';
import { Form, redirect, useSubmit } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Card, Notice, Page, Quiet, Section } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { useHydrated } from '../../app/components/use-hydrated.ts';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/import-check';
import { columnName, mappingIn, mappingOf } from './import-columns.ts';
import { ImportSteps } from './import-steps.tsx';
import { UnreadLines } from './unread-lines.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Check an import · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const asked = mappingIn(new URL(request.url).searchParams);
  const visit = workspaceVisit(context);
  const view = await load(context, ({ listImports }) => listImports.view(visit, params.importId, asked));
  const list =
    view.listId === null ? undefined : await load(context, ({ lists }) => lists.get(visit, view.listId ?? ''));
  return { view, name: list?.name ?? view.name, base: `/workspaces/${params.workspaceId}/lists` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { listImports }) => {
    const { workspaceId, importId } = args.params;
    await listImports.run(workspaceVisit(args.context), importId, mappingOf(form));
    throw redirect(`/workspaces/${workspaceId}/lists/imports/${importId}`);
  });

/** The second step of an import: what is read of the file, and afterwards what was added. */
export default function ImportCheckPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, name, base } = loaderData;
  const { isBegun, total, sent, mapping, encoding, listId, fault } = view;
  const isDone = isBegun && sent === total;
  const back = listId === null ? base : `${base}/${listId}`;
  return (
    <Page
      title={isDone ? `Imported into ${isolated(name)}` : `Import into ${isolated(name)}`}
      trail={[{ to: base, label: 'Lists' }, ...(listId === null ? [] : [{ to: `${base}/${listId}`, label: name }])]}
      lead={!isBegun && 'Nothing has been added yet. Check the columns, then import.'}
      action={
        isDone && (
          <ButtonLink kind="primary" to={`${base}/${listId}`}>
            Open the list
          </ButtonLink>
        )
      }
    >
      {isDone && <Result view={view} />}
      {fault !== undefined && !actionData && (
        <Notice kind="warning" title="The plan does not allow this import">
          {fault}
        </Notice>
      )}
      {encoding === 'windows-1252' && !isDone && (
        <Notice kind="info" title="The file was read as Windows-1252">
          If letters look wrong, save the file as UTF-8 and send it again.
        </Notice>
      )}
      {isBegun && !isDone && (
        <ImportSteps sent={sent} total={total} place="in the list" failed={actionData} back={back}>
          <MappingFields mapping={mapping} />
        </ImportSteps>
      )}
      {!isBegun && (
        <Card className="grid gap-4">
          <Columns key={JSON.stringify(mapping)} view={view} />
          <PostForm failed={actionData} fields={[]} className="grid gap-3">
            <MappingFields mapping={mapping} />
            <div className="flex flex-wrap items-center gap-2">
              <SubmitButton busy="Importing…" disabled={total === 0 || fault !== undefined}>
                Import {storesText(total)}
              </SubmitButton>
              <ButtonLink to={back}>Cancel</ButtonLink>
            </div>
          </PostForm>
        </Card>
      )}
      <UnreadLines {...view} />
      {!isBegun && (
        <Section
          title="First lines"
          note={view.header.length > 0 ? 'Below the line with the names of the columns' : ''}
        >
          <Table label="First lines" columns={columns(view)} rows={view.preview} keyOf={({ line }) => String(line)} />
        </Section>
      )}
    </Page>
  );
}

const MappingFields = ({ mapping: { domain, externalId } }: Pick<View, 'mapping'>) => (
  <>
    <input type="hidden" name="domain_column" value={domain} />
    <input type="hidden" name="id_column" value={externalId ?? 'none'} />
  </>
);

type View = Route.ComponentProps['loaderData']['view'];

const storesText = (count: number) => `${formatNumber(count)} ${count === 1 ? 'store' : 'stores'}`;

function Result({ view: { added, present } }: { view: View }) {
  return (
    <Notice kind="ok" title={`${storesText(added)} ${added === 1 ? 'was' : 'were'} added`}>
      {present > 0 && `${storesText(present)} ${present === 1 ? 'was' : 'were'} in the list already.`}
    </Notice>
  );
}

/** A change of a column loads the page with it. Without script, a button does. */
function Columns({ view: { samples, header, mapping } }: { view: View }) {
  const isHydrated = useHydrated();
  const submit = useSubmit();
  const names = samples.map((sample, column) => [String(column), columnName(column, header, sample)] as const);
  return (
    <Form
      method="get"
      replace
      preventScrollReset
      className="grid max-w-[68ch] items-start gap-4 sm:grid-cols-2"
      onChange={(event) => submit(event.currentTarget, { replace: true, preventScrollReset: true })}
    >
      <SelectField label="Column with the domain" name="domain" defaultValue={mapping.domain} options={names} />
      <SelectField
        label="Column with your own id"
        name="id"
        defaultValue={mapping.externalId ?? 'none'}
        options={[['none', 'None'], ...names.filter(([column]) => Number(column) !== mapping.domain)]}
        help="It is shown in results and events."
      />
      {!isHydrated && (
        <p>
          <Button>Show these columns</Button>
        </p>
      )}
    </Form>
  );
}

const readings = { bad: 'This cell has no domain.', bad_id: 'This id is not accepted.' };

const columns = ({ duplicates }: View): Column<View['preview'][number]>[] => [
  {
    header: 'Domain',
    className: 'md:w-[50%]',
    cell: ({ read, line }) => {
      if (read.kind === 'empty') return <Quiet>Empty, left out</Quiet>;
      if (read.kind !== 'store') {
        return (
          <span className="text-warning">
            <ForeignText text={read.text} max={60} />: {readings[read.kind]}
          </span>
        );
      }
      return (
        <>
          <span className="code">{read.store.domain}</span>
          {duplicates.lines.some((each) => each.line === line) && <Quiet> repeats an earlier line</Quiet>}
        </>
      );
    },
  },
  {
    header: 'Your id',
    className: 'md:w-[40%]',
    cell: ({ read }) =>
      read.kind === 'store' &&
      (read.store.external_id === undefined ? (
        <Quiet>none</Quiet>
      ) : (
        <ForeignText text={read.store.external_id} max={80} />
      )),
  },
  { header: 'Line', align: 'right', cell: ({ line }) => <span className="amount">{line}</span> },
];
