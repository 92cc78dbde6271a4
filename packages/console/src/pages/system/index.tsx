import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../api/me.ts'
import { tabOf, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page as UiPage } from '../../ui/page.tsx'
import { SystemTabs } from './head.tsx'
import { Health } from './health.tsx'
import { Quarantine } from './quarantine.tsx'
import { Rebuild } from './rebuild.tsx'
import { Reconcile } from './reconcile.tsx'
import { Reseal } from './reseal.tsx'
import { Retention } from './retention.tsx'
import { TEXT } from './words.ts'
import { Workspaces } from './workspaces.tsx'

/** The first one has the address of the page. */
const TABS = ['health', 'workspaces', 'quarantine', 'repair', 'maintenance'] as const

/** `system`, `system/workspaces`, `system/quarantine`, `system/repair` and `system/maintenance`. For operators only. */
export function Page(): ReactNode {
  const { operator } = useMe()
  const [path] = usePagePath()
  if (!operator) {
    return (
      <UiPage title={TEXT.title} about={TEXT.about}>
        <Empty icon={<ShieldAlert />} title={TEXT.forbidden} help={TEXT.forbiddenHelp} />
      </UiPage>
    )
  }
  switch (tabOf(TABS, path)) {
    case 'workspaces':
      return <Workspaces />
    case 'quarantine':
      return <Quarantine />
    case 'repair':
      return <Repair />
    case 'maintenance':
      return <Maintenance />
    case 'health':
      return <Health />
    default:
      return <NotFound />
  }
}

/** Work on stored data; what deletes data is last. */
function Maintenance(): ReactNode {
  return (
    <UiPage title={TEXT.maintenance.title} about={TEXT.maintenance.about} tabs={<SystemTabs />}>
      <Reseal />
      <Retention />
    </UiPage>
  )
}

/** Finds and corrects differences between the services, and between counts and task events. */
function Repair(): ReactNode {
  return (
    <UiPage title={TEXT.repair.title} about={TEXT.repair.about} tabs={<SystemTabs />}>
      <Reconcile />
      <Rebuild />
    </UiPage>
  )
}
