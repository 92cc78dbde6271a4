import type { ReactNode } from 'react'
import { usePagePath } from '../../shell/links.tsx'
import { Application } from './application.tsx'
import { Applications } from './applications.tsx'

export function Page(): ReactNode {
  const [appKey, tab] = usePagePath()
  if (appKey === undefined) return <Applications />
  return <Application key={appKey} appKey={appKey} tab={tab} />
}
