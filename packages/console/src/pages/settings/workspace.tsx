import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { getWorkspace, putWorkspace } from '../../api/endpoints.ts'
import { useMay, useMe, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { problemOf } from '../../parts/change-error.tsx'
import { ifUnchanged } from '../../parts/clashes.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input } from '../../ui/field.tsx'
import { Num } from '../../ui/number.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { ApiKeys } from './api-keys.tsx'
import type { WorkspaceResponse } from './types.ts'
import { WORDS } from './words.ts'

/** The name, the limits and the API keys of the workspace. */
export function Workspace(): ReactNode {
  const reading = useRead(insights, getWorkspace, { params: { workspace_id: useWorkspaceId() } })
  return (
    <Section title={WORDS.tabs.workspace} hideTitle reading={reading}>
      {(workspace) => (
        <Stack gap={6}>
          <Group title={WORDS.workspace.general}>
            <General key={workspace.workspace_id} workspace={workspace} />
          </Group>
          <ApiKeys workspace={workspace} />
          <Group title={WORDS.workspace.facts}>
            <Facts facts={factsOf(workspace)} />
          </Group>
        </Stack>
      )}
    </Section>
  )
}

function factsOf({ workspace_id: id, created_at: createdAt, default_limit: limit, bulk_limit: bulk }: WorkspaceResponse) {
  const { workspace: words } = WORDS
  return [
    [words.id, <Id key="id" value={id} what={words.id} full />],
    [words.created, <Time key="created" at={createdAt} as="exact" />],
    [
      words.defaultLimit,
      <Row key="limit" gap={3}>
        <Num value={limit} unit={words.tasks} />
        <PageLink page="users">{words.toLimits}</PageLink>
      </Row>,
    ],
    [words.bulkLimit, bulk === null ? words.noBulk : <Num key="bulk" value={bulk} unit={words.tasks} />],
  ] as const
}

function General({ workspace }: { workspace: WorkspaceResponse }): ReactNode {
  const { operator } = useMe()
  const { why } = useMay('owner')
  const client = useQueryClient()
  const change = useChange(insights, putWorkspace, { refresh: [getWorkspace], done: WORDS.workspace.saved })
  const draft = useDraft({ name: workspace.name, rate: String(workspace.rate_limit) })
  const { name, rate } = draft.values
  const save = async () => {
    const values = { name: name.trim(), ...(draft.changed.rate === undefined ? {} : { rate_limit: Number(rate) }) }
    const body = { ...values, ...ifUnchanged(workspace, values) }
    if ((await change.run({ params: { workspace_id: workspace.workspace_id }, body })) === undefined) return false
    // The name of the workspace is in the frame too.
    void client.invalidateQueries({ queryKey: ['me'] })
    return true
  }
  return (
    <SettingsForm
      label={WORDS.workspace.general}
      labels={{ name: WORDS.workspace.name, rate: WORDS.workspace.rate }}
      draft={draft}
      save={save}
      running={change.running}
      error={change.error}
      fields={['name', 'rate_limit']}
      why={why}
    >
      <Field label={WORDS.workspace.name} error={problemOf(change.fields, 'name')}>
        <Input
          required
          maxLength={200}
          disabled={why !== undefined}
          value={name}
          onChange={(event) => draft.set({ name: event.target.value })}
        />
      </Field>
      <Field label={WORDS.workspace.rate} help={WORDS.workspace.rateHelp} error={problemOf(change.fields, 'rate_limit')}>
        <Input
          type="number"
          required
          min={1}
          max={1_000_000_000}
          disabled={!operator}
          value={rate}
          onChange={(event) => draft.set({ rate: event.target.value })}
        />
      </Field>
    </SettingsForm>
  )
}
