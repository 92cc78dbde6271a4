import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { Tabs } from '../../ui/page.tsx'
import { TEXT } from './words.ts'

/** The tabs of the page. */
export function SystemTabs(): ReactNode {
  return (
    <Tabs label={TEXT.tabs.name}>
      <PageLink page="system" path="">
        {TEXT.tabs.health}
      </PageLink>
      <PageLink page="system" path="quarantine">
        {TEXT.tabs.quarantine}
      </PageLink>
      <PageLink page="system" path="repair">
        {TEXT.tabs.repair}
      </PageLink>
      <PageLink page="system" path="maintenance">
        {TEXT.tabs.maintenance}
      </PageLink>
    </Tabs>
  )
}
