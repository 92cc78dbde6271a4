import { Scale } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ApplicationName, noApplications, useApplicationNames } from '../../parts/application-list.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Rules } from './rules.tsx'
import { RULES } from './words.ts'

const COLUMNS: readonly Column<ApplicationName>[] = [
  {
    id: 'name',
    head: RULES.application,
    width: 'grow',
    phone: 'title',
    cell: ([appKey, name]) => (
      <PageLink page="rules" search={{ app_key: appKey }}>
        {name}
      </PageLink>
    ),
  },
  { id: 'app_key', head: RULES.appKey, width: 320, phone: 'line', cell: ([appKey]) => <code>{appKey}</code> },
]

/** The rules of the application of the filter, or of the only one. */
export function Page(): ReactNode {
  const applications = useApplicationNames()
  const filtered = useAppKey()
  // The only application stays when somebody adds a second one, because its rules may be in the form.
  const [only, setOnly] = useState<string | undefined>(undefined)
  const next = filtered !== undefined ? undefined : applications.data?.length === 1 ? applications.data[0]?.[0] : only
  if (next !== only) setOnly(next)
  const appKey = filtered ?? next
  return (
    <Frame title={RULES.title} about={RULES.about}>
      {appKey !== undefined ? (
        // Another application starts a new form. AskBeforeLeaving has asked first.
        <Rules key={filtered ?? ''} appKey={appKey} />
      ) : (
        <Section title={RULES.choose} reading={applications}>
          {(names) =>
            names.length === 0 ? (
              <Empty {...noApplications(RULES.noApplications, <Scale />)} />
            ) : (
              <Table caption={RULES.choose} columns={COLUMNS} rows={names} rowKey={([key]) => key} />
            )
          }
        </Section>
      )}
    </Frame>
  )
}
