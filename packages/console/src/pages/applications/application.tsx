import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { SuspensionBadge } from '../../parts/suspension.tsx'
import { PageLink, PageTabs } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Page, Row, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { CreateApplication, type Made, NewSecret } from './create-application.tsx'
import { DeleteApplication } from './danger.tsx'
import { Keys } from './keys.tsx'
import type { OwnApplication } from './read-applications.ts'
import { useSaveInInsights } from './save-settings.ts'
import { Settings } from './settings.tsx'
import { Snippets } from './snippets.tsx'
import { WORDS } from './words.ts'

export const TABS = ['keys', 'snippets', 'settings'] as const

/** One application. Its name, keys and settings come from the list of functions, its limits from the list of insights. */
export function Application({ appKey, tab: shown }: { appKey: string; tab: (typeof TABS)[number] }): ReactNode {
  const query = { workspace_id: useWorkspaceId() }
  const reading = useRead(functions, listApplications, { query })
  const assigned = useRead(insights, listInsightsApplications, { query })
  const [made, setMade] = useState<Made | undefined>(undefined)
  const own = reading.data?.applications.find(({ app_key }) => app_key === appKey)
  const inInsights = assigned.data?.applications.some(({ app_key }) => app_key === appKey) === true
  const path = encodeURIComponent(appKey)
  return (
    <Page
      title={own?.name ?? appKey}
      path={[
        <PageLink key="list" page="applications">
          {WORDS.title}
        </PageLink>,
      ]}
      about={<Id value={appKey} what={WORDS.columns.appKey} full />}
      badge={
        <>
          {own?.previous_secret_valid_until != null && <Badge soft tone="accent" text={WORDS.twoSecrets} />}
          <SuspensionBadge of={{ app_key: appKey }} />
        </>
      }
      actions={
        <PageLink page="rules" search={{ app_key: appKey }} className={buttonClass()}>
          {WORDS.one.rules}
        </PageLink>
      }
      tabs={
        own !== undefined && (
          <PageTabs
            page="applications"
            label={WORDS.one.tabs.name}
            tabs={TABS.map((name) => [name === 'keys' ? path : `${path}/${name}`, WORDS.one.tabs[name]])}
          />
        )
      }
    >
      {own !== undefined && assigned.data !== undefined && !inInsights && <Unassigned application={own} />}
      <Section title={own === undefined ? WORDS.title : WORDS.one.tabs[shown]} hideTitle reading={reading}>
        {() => {
          if (own === undefined) return inInsights ? <Unfinished appKey={appKey} onMade={setMade} /> : <NotFound />
          if (shown === 'snippets') return <Snippets application={own} />
          if (shown === 'settings') return <Settings application={own} assigned={assigned} />
          return <Keys application={own} />
        }}
      </Section>
      <NewSecret made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}

function NotFound(): ReactNode {
  const toList = <PageLink page="applications">{WORDS.one.toList}</PageLink>
  return <Empty icon={<KeyRound />} title={WORDS.one.notFound} help={WORDS.one.notFoundHelp} action={toList} />
}

/** Offers to complete an application that only functions knows, because creating it was interrupted. */
function Unassigned({ application }: { application: OwnApplication }): ReactNode {
  const { why } = useMay('developer')
  const { save, running, error } = useSaveInInsights(application, undefined)
  const finish = (
    <Button busy={running} why={why} onClick={() => void save({})}>
      {WORDS.one.finish}
    </Button>
  )
  return (
    <Notice tone="warn" title={WORDS.one.unfinished} action={finish}>
      {WORDS.one.unassignedHelp}
      <ChangeError error={error} />
    </Notice>
  )
}

/** What is left of an application whose creation or deletion was interrupted. */
function Unfinished({ appKey, onMade }: { appKey: string; onMade(made: Made): void }): ReactNode {
  return (
    <Stack gap={4}>
      <Notice tone="warn" title={WORDS.one.unfinished}>
        {WORDS.one.unfinishedHelp}
      </Notice>
      <Row>
        <DeleteApplication appKey={appKey} name={appKey} inFunctions={false} />
        <CreateApplication accent appKey={appKey} onMade={onMade} />
      </Row>
    </Stack>
  )
}
