import { HOUR_MS } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { functions } from '../api/doors.ts'
import { listAppIcons } from '../api/endpoints.ts'
import { useRead } from '../api/queries.ts'
import { Logo } from '../ui/page.tsx'

type AppLogoProps = { app: string; title?: string; size?: 20 | 24 | 32 | 40 }

/**
 * The logo of an app, or its first letter. The logos of all apps come in one response, because the content security policy allows no image
 * of another host, such as those at `icon_url`.
 */
export function AppLogo({ app, title = app, size = 24 }: AppLogoProps): ReactNode {
  const { data } = useRead(functions, listAppIcons, {}, { freshFor: HOUR_MS })
  const icons = data?.icons ?? {}
  return <Logo name={title} src={Object.hasOwn(icons, app) ? icons[app] : null} size={size} />
}
