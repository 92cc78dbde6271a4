import type { ReactNode } from 'react'
import { Page } from '../../ui/page.tsx'
import { SystemTabs } from './head.tsx'
import { Reseal } from './reseal.tsx'
import { Retention } from './retention.tsx'
import { TEXT } from './words.ts'

/** Work on stored data; what deletes data is last. */
export function Maintenance(): ReactNode {
  return (
    <Page title={TEXT.maintenance.title} about={TEXT.maintenance.about} tabs={<SystemTabs />}>
      <Reseal />
      <Retention />
    </Page>
  )
}
