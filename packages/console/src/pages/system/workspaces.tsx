import type { listWorkspaces as List, ResponseOf } from '@onward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { deleteWorkspace, listWorkspaces, putWorkspace } from '../../api/endpoints.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { secretForms } from '../../parts/secret-forms.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { PageLink, useDialogInAddress } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Num } from '../../ui/number.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { SystemTabs } from './head.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.workspaces

type Row = ResponseOf<typeof List>['workspaces'][number]
type Made = { readonly id: string; readonly name: string; readonly key: string }

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: TEXTS.name,
    width: 'grow',
    phone: 'title',
    cell: ({ workspace_id, name }) => (
      <PageLink page="overview" workspaceId={workspace_id}>
        {name}
      </PageLink>
    ),
    text: ({ name }) => name,
  },
  { id: 'id', head: TEXTS.id, width: 220, phone: 'line', cell: ({ workspace_id }) => <Id value={workspace_id} what={TEXTS.id} full /> },
  {
    id: 'limit',
    head: TEXTS.limit,
    width: 140,
    align: 'end',
    phone: 'hide',
    cell: ({ default_limit }) => <Num value={default_limit} />,
  },
  { id: 'rate', head: TEXTS.rate, width: 160, align: 'end', phone: 'hide', cell: ({ rate_limit }) => <Num value={rate_limit} /> },
  timeColumn({ id: 'created_at', head: TEXTS.created, phone: 'named', at: ({ created_at }) => created_at }),
]

/** All workspaces of the deployment. */
export function Workspaces(): ReactNode {
  const client = useQueryClient()
  const reading = useRead(insights, listWorkspaces, {})
  const [creating, setCreating] = useDialogInAddress('new')
  const [made, setMade] = useState<Made | undefined>(undefined)
  const create = (
    <Button tone="accent" icon={<Plus />} why={reading.data === undefined ? TEXTS.loading : undefined} onClick={() => setCreating(true)}>
      {TEXTS.create}
    </Button>
  )
  return (
    <Page title={TEXTS.title} about={TEXTS.about} tabs={<SystemTabs />} actions={create}>
      <Section title={TEXTS.title} hideTitle reading={reading}>
        {({ workspaces }) => (
          <Table
            sortable
            caption={TEXTS.title}
            columns={COLUMNS}
            rows={workspaces}
            rowKey={({ workspace_id }) => workspace_id}
            empty={{ title: TEXTS.empty, help: TEXTS.emptyHelp }}
            actions={(row) => <DeleteWorkspace row={row} />}
          />
        )}
      </Section>
      {creating && reading.data !== undefined && (
        <CreateDialog
          taken={reading.data.workspaces.map(({ workspace_id }) => workspace_id)}
          onMade={(workspace) => {
            setCreating(false)
            setMade(workspace)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made !== undefined && (
        <SecretOnce
          label={TEXTS.firstKey(made.name)}
          load={() => Promise.resolve(made.key)}
          forms={(secret) => secretForms({ ONWARD_API_KEY: secret })}
          onClose={() => {
            setMade(undefined)
            // The list of one's own workspaces is in the frame.
            void client.invalidateQueries({ queryKey: ['me'] })
          }}
        >
          <p>{TEXTS.firstKeyUse}</p>
        </SecretOnce>
      )}
    </Page>
  )
}

type CreateProps = { taken: readonly string[]; onMade(made: Made): void; onClose(): void }

function CreateDialog({ taken, onMade, onClose }: CreateProps): ReactNode {
  const [name, setName] = useState('')
  const [entered, setEntered] = useState<string | undefined>(undefined)
  const id = entered ?? idOf(name)
  const { run, running, error, fields } = useChange(insights, putWorkspace, { refresh: [listWorkspaces] })
  // The service would rename an existing workspace.
  const used = taken.includes(id)
  const submit = async () => {
    const response = await run({ params: { workspace_id: id }, body: { name: name.trim() } })
    if (response?.partner_api_key !== undefined) onMade({ id, name: response.name, key: response.partner_api_key })
  }
  return (
    <FormDialog
      title={TEXTS.create}
      action={TEXTS.create}
      busy={running}
      why={used ? TEXTS.used : undefined}
      submit={submit}
      onClose={onClose}
    >
      <Field label={TEXTS.name} error={problemOf(fields, 'name')}>
        <Input required maxLength={200} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={TEXTS.id} help={TEXTS.idHelp} error={used ? TEXTS.used : problemOf(fields, 'workspace_id')}>
        <Input
          mono
          required
          maxLength={100}
          pattern="[A-Za-z0-9][A-Za-z0-9_\-]*"
          title={TEXTS.idHelp}
          autoComplete="off"
          spellCheck={false}
          value={id}
          onChange={(event) => setEntered(event.target.value)}
        />
      </Field>
      <ChangeError error={error} fields={['name', 'workspace_id']} />
    </FormDialog>
  )
}

/** Returns the ID that is proposed for a name: `acme-shop` for "Acme Shop". */
function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function DeleteWorkspace({ row: { workspace_id, name } }: { row: Row }): ReactNode {
  const client = useQueryClient()
  const { run, error } = useChange(insights, deleteWorkspace, { done: TEXTS.deleted, refresh: [listWorkspaces] })
  return (
    <DangerButton
      size="small"
      tone="plain"
      title={TEXTS.deleteTitle}
      names={TEXTS.deleteNames(name)}
      loses={TEXTS.deleteLoses}
      typed={workspace_id}
      action={TEXTS.delete}
      error={error?.message}
      run={async () => {
        const done = (await run({ params: { workspace_id } })) !== undefined
        if (done) await client.invalidateQueries({ queryKey: ['me'] })
        return done
      }}
    />
  )
}
