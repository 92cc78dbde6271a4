import { Refusal, type UserKey } from '@onward/runtime'
import { fill, type Say } from '@onward/texts'
import { groupByApp } from '../catalog/present.ts'
import { preferAccount, renameAccount } from '../db/account-changes.ts'
import { type Application, findApplication } from '../db/applications.ts'
import type { ConnectLink } from '../db/connect-links.ts'
import { defaultAccount, findOwnAccount, readAccountId, selectAccounts } from '../db/connected-accounts.ts'
import { recordUserChange } from './audit.ts'
import { CONNECT_LINK_PATH, openConnectLink } from './connect-link.ts'
import { disconnect } from './disconnect.ts'
import { MAX_NAME } from './finish.ts'
import { shownApp } from './icon.ts'
import { LINK_MS, loginUrl } from './login-link.ts'
import { accountsPage, disconnectPage, renamePage, type ShownAccount } from './pages/accounts-page.ts'
import { forUsers, inLook, type Page, type Reply } from './pages/page.ts'
import { plainText } from './pages/parts.ts'
import { nothingHere } from './pages/problem.ts'
import { scriptJson, sendToOpener } from './pages/result-pages.ts'
import type { ConnectParts } from './parts.ts'
import type { APPS_PATH } from './target.ts'
import type { Bound, PageVisit } from './visit.ts'

/** What happened before a page, for the window that opened it. */
export type ShownEvent = { readonly event: 'cancelled' } | { readonly event: 'disconnected'; readonly account_id: number } | Connected
/** An account was connected, which the window already knows. */
type Connected = { readonly event: 'connected'; readonly app: string }

/** Returns the event in the query of the page of accounts. */
export function readEvent({ event, account_id: id, app }: Readonly<Record<string, unknown>>): ShownEvent | undefined {
  if (event === 'cancelled') return { event }
  if (event === 'connected' && typeof app === 'string') return { event, app }
  return event === 'disconnected' && /^\d{1,15}$/.test(String(id)) ? { event, account_id: Number(id) } : undefined
}

/** Opens a link: returns the page of accounts, or redirects to the page that connects an app. */
export async function openLink(parts: ConnectParts, visit: PageVisit, event: ShownEvent | undefined): Promise<Bound> {
  const { link, browser } = await openConnectLink(parts, visit)
  const reply = link.manage ? await listAccounts(parts, visit, link, event) : { location: connectUrl(parts, visit, link, link.app ?? '') }
  return { reply, browser }
}

/** Returns the page that renames or disconnects an account. */
export async function openChange(parts: ConnectParts, visit: PageVisit, id: string, change: string): Promise<Bound> {
  const { page, shown } = await changeOf(parts, visit, id, change)
  if (change === 'rename') return shown(renamePage(page))
  if (change === 'disconnect') return shown(disconnectPage(page))
  throw nothingHere()
}

/** Renames an account, disconnects it or makes it the default of its app. Then redirects to the page of accounts. */
export async function submitChange(
  parts: ConnectParts,
  visit: PageVisit,
  id: string,
  change: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Bound> {
  const { caller, account, page, browser, shown } = await changeOf(parts, visit, id, change)
  const done: Bound = { reply: { location: page.cancel }, browser }
  const before = { display_name: account.displayName }
  const record = async (action: string, from: object | null, to: object | null, run: () => Promise<unknown>): Promise<void> => {
    const entry = { action, target: { id: String(account.id), app: account.app }, after: null }
    await recordUserChange(parts, visit, caller, entry, (noteChange) => {
      noteChange(from, to)
      return run()
    })
  }
  switch (change) {
    case 'default':
      await record('connected-account.set-default', null, before, () => preferAccount(parts.db, caller, account.id))
      parts.accounts.drop({ ...caller, app: account.app })
      return done
    case 'rename': {
      const name = typeof body.name === 'string' ? plainText(body.name, MAX_NAME) : ''
      if (name === '') return shown(renamePage({ ...page, problem: (t) => t.accounts.nameEmpty }))
      await record('connected-account.rename', before, { display_name: name }, () => renameAccount(parts.db, caller, account.id, name))
      return done
    }
    case 'disconnect':
      try {
        await record('connected-account.disconnect', before, null, () => disconnect(parts, caller, id, body.force === 'true'))
        return { ...done, reply: { location: `${page.cancel}?event=disconnected&account_id=${account.id}` } }
      } catch (err) {
        if (!(err instanceof Refusal) || err.code !== 'revocation_failed') throw err
        return shown(disconnectPage({ ...page, problem: notRevoked(page.app.title, err) }))
      }
    default:
      throw nothingHere()
  }
}

/** Returns why the account stays connected. */
function notRevoked(app: string, { message }: Refusal): Say {
  return (t) => fill(t.accounts.notRevoked, { app, reason: message.replace(/^.*?: /, '') })
}

async function listAccounts(parts: ConnectParts, visit: PageVisit, link: ConnectLink, event: ShownEvent | undefined): Promise<Reply> {
  const { appKey, userId, app } = link
  const application = await applicationOf(parts, link)
  const accounts = await selectAccounts(parts.db, appKey, { userId, ...(app !== null && { app }) })
  const byApp = groupByApp(accounts)
  const shown = accounts.map(async (account): Promise<ShownAccount> => {
    const same = byApp.get(account.app) ?? []
    const known = parts.catalog.current.functions.app(account.app) !== undefined
    return {
      app: await shownApp(parts, account.app),
      name: account.displayName,
      status: account.status,
      lastError: account.lastError,
      isDefault: same.length > 1 ? defaultAccount(same) === account : undefined,
      url: `${pageUrl(visit)}/${account.id}`,
      reconnect: known ? connectUrl(parts, visit, link, account.app) : undefined,
    }
  })
  const page = accountsPage({
    application: application.name,
    userId,
    userName: link.userName,
    accounts: await Promise.all(shown),
    connect: app === null ? undefined : { app: (await shownApp(parts, app)).title, url: connectUrl(parts, visit, link, app) },
    programs: app === null ? `${pageUrl(visit)}/programs` : undefined,
    apps: app === null ? `${pageUrl(visit)}/apps` : undefined,
    done: event?.event === 'connected' ? connectedText(parts, event) : undefined,
    script: event === undefined || event.event === 'connected' ? '' : sendToOpener(scriptJson(event), application.allowedOrigins),
    back: link.redirectUri !== null && application.allowedRedirects.includes(link.redirectUri) ? link.redirectUri : undefined,
  })
  return inLook(page, application, link.language)
}

function connectedText({ catalog }: ConnectParts, { app }: Connected): Say | undefined {
  const known = catalog.current.functions.app(app)
  return known && ((t) => fill(t.result.connected, { app: known.title }))
}

/** Returns one of the user's own accounts, and what the pages that change it show. */
async function changeOf(parts: ConnectParts, visit: PageVisit, id: string, change: string) {
  const { link, browser } = await openConnectLink(parts, visit)
  const caller: UserKey = { appKey: link.appKey, userId: link.userId }
  const account = link.manage ? await findOwnAccount(parts.db, caller, readAccountId(id)) : undefined
  if (account === undefined || (link.app ?? account.app) !== account.app) throw nothingHere()
  const application = await applicationOf(parts, link)
  const page = {
    app: await shownApp(parts, account.app),
    application: application.name,
    name: account.displayName,
    action: `${pageUrl(visit)}/${account.id}/${change}`,
    cancel: pageUrl(visit),
  }
  const shown = (reply: Page): Bound => ({ reply: inLook(reply, application, link.language), browser })
  return { caller, account, page, browser, shown }
}

export async function applicationOf({ db }: ConnectParts, { appKey }: ConnectLink): Promise<Application> {
  const application = await findApplication(db, appKey)
  if (application === undefined) throw nothingHere()
  return forUsers(application)
}

function pageUrl({ publicUrl, token }: PageVisit): string {
  return `${publicUrl}${CONNECT_LINK_PATH}/${token}`
}

/** Returns the link to the page that connects an app. From there, the user returns to the application, or else to our pages; `from` is one. */
export function connectUrl(
  { sealer }: Pick<ConnectParts, 'sealer'>,
  { publicUrl, token }: PageVisit,
  link: ConnectLink,
  app: string,
  from: '' | typeof APPS_PATH = '',
): string {
  const { appKey, userId, userName, manage, redirectUri, language } = link
  const back = redirectUri ?? (manage ? `${CONNECT_LINK_PATH}/${token}${from}` : undefined)
  const url = loginUrl(sealer, publicUrl, { appKey, userId, userName, app, expiresAt: new Date(Date.now() + LINK_MS) })
  const query = new URLSearchParams({ ...(back !== undefined && { redirect_uri: back }), ...(language !== null && { locale: language }) })
  return query.size === 0 ? url : `${url}?${query}`
}
