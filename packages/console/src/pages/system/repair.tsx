import type { ReactNode } from 'react'
import { Page } from '../../ui/page.tsx'
import { SystemTabs } from './head.tsx'
import { Rebuild } from './rebuild.tsx'
import { Reconcile } from './reconcile.tsx'
import { TEXT } from './words.ts'

/** Finds and corrects differences between the services, and between counts and task events. */
export function Repair(): ReactNode {
  return (
    <Page title={TEXT.repair.title} about={TEXT.repair.about} tabs={<SystemTabs />}>
      <Reconcile />
      <Rebuild />
    </Page>
  )
}
