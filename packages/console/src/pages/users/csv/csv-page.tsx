import { type ReactNode, useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { ReadOnly } from '../../../parts/read-only.tsx'
import { useAppKey } from '../../../shell/application-filter.tsx'
import { PageLink } from '../../../shell/links.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Card, Page, Stack } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { type Application, useApplications } from '../applications.ts'
import { WORDS } from '../words.ts'
import { Check } from './check.tsx'
import styles from './csv.module.css'
import { type ReadLimits, readLimits } from './read-limits.ts'
import { Source } from './source.tsx'

const { csv: words } = WORDS

/** Sets the limits of many users from a file, after a preview. */
export function CsvPage(): ReactNode {
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
      <Section title={words.title} hideTitle reading={applications}>
        {(data) => <Steps applications={data} />}
      </Section>
    </Page>
  )
}

function Steps({ applications }: { applications: readonly Application[] }): ReactNode {
  const fromAddress = useAppKey()
  const only = applications.length === 1 ? applications[0]?.appKey : undefined
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [read, setRead] = useState<ReadLimits | undefined>(undefined)
  const { why } = useMay('developer')
  const appKey = chosen ?? applications.find((each) => each.appKey === fromAddress)?.appKey ?? only
  if (read !== undefined && appKey !== undefined) {
    const name = applications.find((each) => each.appKey === appKey)?.name ?? appKey
    return <Check appKey={appKey} applicationName={name} read={read} why={why} onBack={() => setRead(undefined)} />
  }
  return (
    <Card>
      <Stack gap={5}>
        <div className={styles.application}>
          <Field label={words.application}>
            <Select
              value={appKey ?? ''}
              onChange={(event) => setChosen(event.target.value)}
              options={applications.map((each) => [each.appKey, each.name])}
            >
              {appKey === undefined && <option value="">{words.choose}</option>}
            </Select>
          </Field>
        </div>
        <Source why={appKey === undefined ? words.choose : undefined} onText={(text) => setRead(readLimits(text))} />
      </Stack>
    </Card>
  )
}
