import { Scale } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { getPolicy } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { type ApplicationName, noApplications, useApplicationNames } from '../../parts/application-list.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Num } from '../../ui/number.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
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
  { id: 'rules', head: RULES.count, width: 120, align: 'end', phone: 'named', cell: ([appKey]) => <Count appKey={appKey} /> },
  { id: 'app_key', head: RULES.appKey, width: 320, phone: 'line', cell: ([appKey]) => <code>{appKey}</code> },
]

/** How many rules an application has. */
function Count({ appKey }: { appKey: string }): ReactNode {
  const { data } = useRead(functions, getPolicy, { params: { app_key: appKey } })
  return data === undefined ? <Bone width={24} /> : <Num value={data.rules.length} />
}

/** More applications would need too many requests. */
const MOST_COUNTED = 30

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
              <Table
                caption={RULES.choose}
                columns={names.length > MOST_COUNTED ? COLUMNS.filter(({ id }) => id !== 'rules') : COLUMNS}
                rows={names}
                rowKey={([key]) => key}
              />
            )
          }
        </Section>
      )}
    </Frame>
  )
}
