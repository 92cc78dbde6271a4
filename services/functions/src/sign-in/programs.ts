import { isDeepStrictEqual } from 'node:util'
import type { PolicyRule } from '@onward/contract'
import { isUuid } from '@onward/runtime'
import { recordUserChange } from '../connect/audit.ts'
import { CONNECT_LINK_PATH, openConnectLink } from '../connect/connect-link.ts'
import { forUsers, inLook, type Page } from '../connect/pages/page.ts'
import { nothingHere } from '../connect/pages/problem.ts'
import type { Bound, PageVisit } from '../connect/visit.ts'
import { findApplication } from '../db/applications.ts'
import { deleteMcpToken, MAX_TOKENS, type McpToken, selectMcpTokens } from '../db/mcp-tokens.ts'
import { readDigests } from '../served-applications.ts'
import { ASK_BEFORE_CHANGES, usableApps } from './consent.ts'
import { type Narrower, narrowToken } from './narrow.ts'
import { programPage, programsPage, type ShownProgram, type ShownRule } from './pages/programs-page.ts'
import type { SignInParts } from './parts.ts'

type Parts = Pick<SignInParts, 'access' | 'applications' | 'catalog' | 'db'>

/** Returns the page of the programs that can act on behalf of the user of a link to the page of all accounts. */
export async function listPrograms(parts: Parts, visit: PageVisit): Promise<Bound> {
  const { caller, application, tokens, shown } = await open(parts, visit)
  const programs = tokens.map((token) => ({ ...presented(parts, token), url: `${pageUrl(visit)}/programs/${token.id}` }))
  return shown(programsPage({ application: application.name, userId: caller.userId, programs, accounts: pageUrl(visit) }))
}

/** Returns the page that narrows or ends the access of a program. */
export async function openProgram(parts: Parts, visit: PageVisit, id: string): Promise<Bound> {
  const { form, shown } = await programOf(parts, visit, id)
  return shown(programPage(form))
}

/** Narrows or ends the access of a program, then redirects to the page of programs. */
export async function submitProgram(parts: Parts, visit: PageVisit, id: string, body: Readonly<Record<string, unknown>>): Promise<Bound> {
  const { caller, token, form, browser, shown } = await programOf(parts, visit, id)
  const target = { id: token.id, name: token.name }
  const before = { apps: token.apps, functions: token.functions, read_only: token.readOnly }
  const done = { reply: { location: form.cancel }, browser }
  if (body.decision === 'end') {
    await recordUserChange(parts, visit, caller, { action: 'mcp-token.revoke', target, after: null }, async (noteChange) => {
      noteChange(before, null)
      await deleteMcpToken(parts.db, caller, token.id)
    })
    return done
  }
  const apps = form.offered.map(({ name }) => name).filter((name) => [body.app].flat().includes(name))
  if (form.offered.length > 0 && body.which === 'some' && apps.length === 0) {
    return shown(programPage({ ...form, problem: (t) => t.programs.chooseApp }))
  }
  const wanted: Narrower = {
    apps: body.which === 'some' ? apps : undefined,
    readOnly: body.read_only === 'true' ? true : undefined,
  }
  await recordUserChange(parts, visit, caller, { action: 'mcp-token.narrow', target, after: null }, async (noteChange) => {
    const narrowed = await narrowToken(parts.db, caller, token.id, wanted)
    if (narrowed.kind !== 'narrowed') throw nothingHere()
    const { after } = narrowed
    noteChange(before, { apps: after.apps, functions: after.functions, read_only: after.readOnly })
  })
  return done
}

async function open(parts: Parts, visit: PageVisit) {
  const { link, browser } = await openConnectLink(parts, visit)
  const { appKey, userId } = link
  const application = await findApplication(parts.db, appKey)
  // A link to the page of one app does not show programs.
  if (!link.manage || link.app !== null || application === undefined) throw nothingHere()
  const caller = { appKey, userId }
  const tokens = await selectMcpTokens(parts.db, caller, await readDigests(parts, appKey), null, MAX_TOKENS)
  const shown = (page: Page): Bound => ({ reply: inLook(page, application, link.language), browser })
  return { caller, application: forUsers(application), tokens, browser, shown }
}

async function programOf(parts: Parts, visit: PageVisit, id: string) {
  const { caller, application, tokens, browser, shown } = await open(parts, visit)
  const token = isUuid(id) ? tokens.find((each) => each.id === id) : undefined
  if (token === undefined) throw nothingHere()
  const apps = token.apps ?? (await usableApps(parts, caller)).map((app) => app.name)
  const offered = apps.map((app) => ({ name: app, title: titleOf(parts, app) }))
  const cancel = `${pageUrl(visit)}/programs`
  const { name, readOnly } = token
  const form = {
    name,
    readOnly,
    application: application.name,
    action: `${cancel}/${token.id}`,
    cancel,
    offered,
    isWhole: token.apps === null,
  }
  return { caller, token, browser, form, shown }
}

function presented(parts: Parts, { name, client, apps, functions, readOnly, rules, expiresAt, lastUsedAt }: McpToken): ShownProgram {
  return {
    name,
    host: client?.redirectHost,
    apps: apps?.map((app) => titleOf(parts, app)),
    functions: functions?.map((fn) => titleOfFunction(parts, fn)),
    rules: rules.map((rule) => shownRule(parts, rule)),
    readOnly,
    expiresAt,
    lastUsedAt,
  }
}

function shownRule(parts: Parts, rule: PolicyRule): ShownRule {
  const { apps = [], functions = [], result: kind, message: _, ...conditions } = rule
  if (isDeepStrictEqual([rule], ASK_BEFORE_CHANGES)) return { kind: 'asks-before-changes' }
  const named = [...functions.map((fn) => titleOfFunction(parts, fn)), ...apps.map((app) => titleOf(parts, app))]
  return { kind, calls: named, isPartial: Object.keys(conditions).length > 0 }
}

function titleOfFunction({ catalog }: Parts, name: string): string {
  const fn = catalog.current.functions.get(name)?.fn
  return fn === undefined ? name : `${fn.app.title}: ${fn.title}`
}

function titleOf({ catalog }: Parts, app: string): string {
  return catalog.current.functions.app(app)?.title ?? app
}

function pageUrl({ publicUrl, token }: PageVisit): string {
  return `${publicUrl}${CONNECT_LINK_PATH}/${token}`
}
