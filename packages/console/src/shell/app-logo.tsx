import { HOUR_MS } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { functions } from '../api/doors.ts'
import { listAppIcons } from '../api/endpoints.ts'
import { useRead } from '../api/queries.ts'
import { Logo } from '../ui/page.tsx'

/** `app` is the name of an app, or of one of its functions. */
type AppLogoProps = { app: string; title?: string; size?: 20 | 24 | 32 | 40 }

/**
 * The logo of an app, or its first letter. The logos of all apps come in one response, because the content security policy allows no image
 * of another host, such as those at `icon_url`.
 */
export function AppLogo({ app, title = app, size = 24 }: AppLogoProps): ReactNode {
  const { data } = useRead(functions, listAppIcons, {}, { freshFor: HOUR_MS })
  return <Logo name={title} src={iconOf(data?.icons ?? {}, app)} size={size} />
}

/** The name of a function begins with the name of its app and a hyphen. Both can contain hyphens. */
function iconOf(icons: Readonly<Record<string, string>>, name: string): string | null {
  const parts = name.split('-')
  const apps = parts.map((_, at) => parts.slice(0, parts.length - at).join('-'))
  return icons[apps.find((app) => Object.hasOwn(icons, app)) ?? ''] ?? null
}
