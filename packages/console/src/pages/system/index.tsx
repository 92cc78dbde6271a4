import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../api/me.ts'
import { usePagePath } from '../../shell/links.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page as UiPage } from '../../ui/page.tsx'
import { Health } from './health.tsx'
import { Maintenance } from './maintenance.tsx'
import { Quarantine } from './quarantine.tsx'
import { Repair } from './repair.tsx'
import { TEXT } from './words.ts'

/** `system`, `system/quarantine`, `system/repair` and `system/maintenance`. For operators only. */
export function Page(): ReactNode {
  const { operator } = useMe()
  const [tab] = usePagePath()
  if (!operator) {
    return (
      <UiPage title={TEXT.title} about={TEXT.about}>
        <Empty icon={<ShieldAlert />} title={TEXT.forbidden} help={TEXT.forbiddenHelp} />
      </UiPage>
    )
  }
  switch (tab) {
    case 'quarantine':
      return <Quarantine />
    case 'repair':
      return <Repair />
    case 'maintenance':
      return <Maintenance />
    default:
      return <Health />
  }
}
