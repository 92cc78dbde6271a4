import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { getWorkspace } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { noApplications } from '../../parts/before-applications.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Application, useApplications } from './applications.ts'
import { BulkLimit } from './bulk-limit.tsx'
import { DefaultLimit } from './default-limit.tsx'
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
    text: ({ name }) => name,
  },
  {
    id: 'days',
    head: words.period,
    width: 140,
    phone: 'line',
    cell: ({ days }) => WORDS.user.days(String(days)),
    text: ({ days }) => String(days),
  },
  {
    id: 'on_limit',
    head: words.onLimit,
    width: 200,
    phone: 'line',
    cell: ({ blocks }) => (blocks ? words.block : words.allow),
    text: ({ blocks }) => String(blocks),
  },
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
