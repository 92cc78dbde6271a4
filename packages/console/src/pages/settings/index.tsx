import type { ReactNode } from 'react'
import { PageTabs, tabOf, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Audit } from './audit.tsx'
import { Sessions } from './sessions.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { WORDS } from './words.ts'
import { Workspace } from './workspace.tsx'

const TABS = ['workspace', 'sessions', 'sso', 'audit'] as const

export function Page(): ReactNode {
  const [path] = usePagePath()
  const shown = tabOf(TABS, path)
  if (shown === undefined) return <NotFound />
  const paths = TABS.map((name) => [name === 'workspace' ? '' : name, WORDS.tabs[name]] as const)
  const tabs = <PageTabs page="settings" label={WORDS.tabs.name} tabs={paths} />
  if (shown === 'audit') return <Audit tabs={tabs} />
  return (
    <Frame title={WORDS.title} about={WORDS.about} tabs={tabs}>
      <Tab name={shown} />
    </Frame>
  )
}

function Tab({ name }: { name: Exclude<(typeof TABS)[number], 'audit'> }): ReactNode {
  switch (name) {
    case 'workspace':
      return <Workspace />
    case 'sessions':
      return <Sessions />
    case 'sso':
      return <SingleSignOn />
  }
}
