import type { App } from '@onward/catalog'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import { LINK_MS, sealLoginLink } from './login-link.ts'
import { type Arrival, publicUrlOf } from './public-url.ts'

/** Gives the `login_url` of an app for one caller: where the user's browser connects an account; `""` when the app needs none. */
export type LoginUrls = (app: App) => string

export function loginUrls(ctx: Context, { appKey, userId }: Caller, arrival: Arrival): LoginUrls {
  const publicUrl = publicUrlOf(ctx.config.publicUrl, arrival)
  const expiresAt = new Date(Date.now() + LINK_MS)
  const made = new Map<string, string>()
  return (app) => {
    if (!app.needsAccount) return ''
    const known = made.get(app.name)
    if (known !== undefined) return known
    const url = `${publicUrl}/connect/${sealLoginLink(ctx.sealer, { appKey, userId, app: app.name, expiresAt })}`
    made.set(app.name, url)
    return url
  }
}
