import type { ReactNode } from 'react'
import { tabOf, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Application, TABS } from './application.tsx'
import { Applications } from './applications.tsx'

export function Page(): ReactNode {
  const [appKey, tab] = usePagePath()
  if (appKey === undefined) return <Applications />
  const shown = tabOf(TABS, tab)
  return shown === undefined ? <NotFound /> : <Application key={appKey} appKey={appKey} tab={shown} />
}
