import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { getUserDetail, getWorkspace, setDefaultLimit } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { noApplications } from '../../parts/application-list.tsx'
import { ReadOnly } from '../../parts/read-only.tsx'
import { PageLink } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Notice } from '../../ui/empty.tsx'
import { Num } from '../../ui/number.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Application, useApplications } from './applications.ts'
import { BulkLimit } from './bulk-limit.tsx'
import { LimitForm, NoPreview, useBulkPreview } from './limit-form.tsx'
import { readLimit } from './limit-input.ts'
import { WORDS } from './words.ts'

const { limits: words } = WORDS

const COLUMNS: readonly Column<Application>[] = [
  {
    id: 'name',
    head: WORDS.list.application,
    width: 'grow',
    phone: 'title',
    cell: ({ appKey, name }) => (
      <PageLink page="applications" path={encodeURIComponent(appKey)}>
        {name}
      </PageLink>
    ),
  },
  { id: 'days', head: words.period, width: 140, phone: 'line', cell: ({ days }) => WORDS.user.days(String(days)) },
  { id: 'on_limit', head: words.onLimit, width: 200, phone: 'line', cell: ({ blocks }) => (blocks ? words.block : words.allow) },
]

/** The limits of the workspace: the limit of new users, and the limit last set for all. */
export function LimitsPage(): ReactNode {
  const workspaceId = useWorkspaceId()
  const reading = useRead(insights, getWorkspace, { params: { workspace_id: workspaceId } })
  const applications = useApplications()
  return (
    <Page
      title={words.title}
      about={words.about}
      path={[
        <PageLink key="users" page="users">
          {WORDS.title}
        </PageLink>,
      ]}
    >
      <ReadOnly />
      <Section title={words.default} about={words.defaultAbout} reading={reading}>
        {({ default_limit }) => (
          <Card>
            <DefaultLimit current={default_limit} />
          </Card>
        )}
      </Section>
      <Section title={words.applications} about={words.applicationsAbout} reading={applications}>
        {(data) => (
          <Table
            caption={words.applications}
            columns={COLUMNS}
            rows={data}
            rowKey={({ appKey }) => appKey}
            empty={noApplications(WORDS.list.noApplicationsHelp)}
          />
        )}
      </Section>
      <Section title={words.bulk} about={words.bulkAbout} reading={reading}>
        {({ bulk_limit }) => (
          <Card>
            <BulkLimit current={bulk_limit} />
          </Card>
        )}
      </Section>
    </Page>
  )
}

/** Sets the limit of new users. Says how many users keep theirs. */
function DefaultLimit({ current }: { current: number }): ReactNode {
  const { why } = useMay('developer')
  const [text, setText] = useState('')
  const [checked, setChecked] = useState(false)
  const change = useChange(areaB(useWorkspaceId()), setDefaultLimit, { done: words.defaultDone, refresh: [getWorkspace, getUserDetail] })
  const limit = readLimit(text)
  const preview = useBulkPreview(limit)
  const submit = async () => {
    setChecked(true)
    if (limit === undefined) return
    const done = await change.run({ body: { tasks_limit: limit } })
    if (done === undefined) return
    setText('')
    setChecked(false)
  }
  return (
    <LimitForm
      now={[words.defaultNow, <Num key="now" value={current} />]}
      text={text}
      error={checked && limit === undefined ? WORDS.setLimit.invalid : change.error?.message}
      action={words.defaultSave}
      tone="accent"
      busy={change.running}
      why={why}
      onText={setText}
      onSubmit={() => void submit()}
    >
      {limit === undefined ? null : limit === current ? (
        <Notice tone="info">{words.defaultSame}</Notice>
      ) : preview.data === undefined ? (
        <NoPreview reading={preview} />
      ) : (
        <Notice tone="info">
          {words.defaultPreview(formatCount(preview.data.users, words.user.one, words.user.other), preview.data.users === 1)}
        </Notice>
      )}
    </LimitForm>
  )
}
