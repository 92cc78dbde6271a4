import { countAppsOfAccounts, selectConnectedApps } from '../db/connected-accounts.ts'
import { selectOAuthClients } from '../db/oauth-clients.ts'
import { CONNECT_LINK_PATH, openConnectLink } from './connect-link.ts'
import { shownApp } from './icon.ts'
import { applicationOf, connectUrl, type ShownEvent } from './manage-accounts.ts'
import { appsPage } from './pages/apps-page.ts'
import { inLook } from './pages/page.ts'
import { nothingHere } from './pages/problem.ts'
import { scriptJson, sendToOpener } from './pages/result-pages.ts'
import type { ConnectParts } from './parts.ts'
import { APPS_PATH, enteredSchemes } from './target.ts'
import type { Bound, PageVisit } from './visit.ts'

/**
 * Returns the page with the apps that the user of a link can connect: those without an OAuth client that need one are left out. The user's
 * own apps come first, then those that users of the application connect most.
 */
export async function openApps(parts: ConnectParts, visit: PageVisit, search: string, event?: ShownEvent): Promise<Bound> {
  const { link, browser } = await openConnectLink(parts, visit)
  if (!link.manage || link.app !== null) throw nothingHere()
  const [application, connected, counts, clients] = await Promise.all([
    applicationOf(parts, link),
    selectConnectedApps(parts.db, link),
    countAppsOfAccounts(parts.db, link.appKey),
    selectOAuthClients(parts.db, link.appKey),
  ])
  const withClient = new Set(clients.map(({ app }) => app))
  const wanted = search.trim().toLowerCase()
  const offered = parts.catalog.current.functions.apps.filter((app) => {
    if (!app.needsAccount || !`${app.title}\n${app.description}`.toLowerCase().includes(wanted)) return false
    return enteredSchemes(app).length > 0 || (withClient.has(app.name) && app.schemes.some(({ type }) => type === 'oauth2'))
  })
  const apps = offered.map(async ({ name, description }) => ({
    ...(await shownApp(parts, name)),
    description,
    accounts: counts.get(name) ?? 0,
    url: connectUrl(parts, visit, link, name, APPS_PATH),
    connected: connected.has(name),
  }))
  const accountsUrl = `${visit.publicUrl}${CONNECT_LINK_PATH}/${visit.token}`
  const shown = (await Promise.all(apps)).sort(
    (a, b) => Number(b.connected) - Number(a.connected) || b.accounts - a.accounts || a.title.localeCompare(b.title),
  )
  const page = appsPage({
    application: application.name,
    apps: shown,
    search,
    action: `${accountsUrl}${APPS_PATH}`,
    accounts: accountsUrl,
    script: event === undefined ? '' : sendToOpener(scriptJson(event), application.allowedOrigins),
  })
  return { reply: inLook(page, application, link.language), browser }
}
