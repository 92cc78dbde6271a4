import { type Html, html } from '@onward/runtime'
import { fill, type Language, type PageTexts, type Say } from '@onward/texts'
import { formPage, type Page } from '../../connect/pages/page.ts'
import { backLink, fillHtml, problemBox, timeText, userName } from '../../connect/pages/parts.ts'

/** What a rule says. `calls` are the titles of functions or apps, empty for all, and `isPartial` says whether it has further conditions. */
export type ShownRule =
  | { readonly kind: 'asks-before-changes' }
  | { readonly kind: 'ask' | 'deny' | 'allow'; readonly calls: readonly string[]; readonly isPartial: boolean }

/** A program, and what it may do. */
export type ShownProgram = {
  readonly name: string
  /** The host to which the user was sent back; undefined if the application made its token. */
  readonly host: string | undefined
  /** The titles of its apps; undefined for all. */
  readonly apps: readonly string[] | undefined
  /** The titles of its functions; undefined for all functions of its apps. */
  readonly functions: readonly string[] | undefined
  /** The rules for its calls. */
  readonly rules: readonly ShownRule[]
  readonly readOnly: boolean
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
}

type Programs = {
  readonly application: string
  readonly userId: string
  readonly programs: readonly (ShownProgram & { readonly url: string })[]
  /** The page of accounts. */
  readonly accounts: string
}

/** Returns the page of the programs that can act on behalf of a user. */
export function programsPage({ application, userId, programs, accounts }: Programs): Page {
  const content = ({ programs: t, accounts: shared }: PageTexts, language: Language) => html`${backLink(accounts, shared.title)}
<h1>${shared.programs}</h1>
<p>${fillHtml(t.about, { application, user: userName({ userId }) })}</p>
${
  programs.length === 0
    ? html`<p class="empty">${t.none}</p>`
    : html`<ul class="accounts">${programs.map(
        (program) => html`<li>
<h2>${program.name}</h2>
<p>${facts(t, language, program)}</p>
${program.rules.map((rule) => html`<p>${ruleText(t, rule)}</p>`)}
${program.functions !== undefined && html`<details><summary>${t.functions}</summary><p>${program.functions.join(', ')}</p></details>`}
<div class="actions"><a href="${program.url}">${t.change}<span class="hidden"> ${fill(t.changeOf, { program: program.name })}</span></a></div>
</li>`,
      )}</ul>`
}`
  return { status: 200, title: (t) => t.accounts.programs, content }
}

type ProgramForm = Pick<ShownProgram, 'name' | 'readOnly'> & {
  readonly application: string
  /** The URL that the forms are sent to. */
  readonly action: string
  /** The page of programs. */
  readonly cancel: string
  /** The apps that the user can take away. */
  readonly offered: readonly { readonly name: string; readonly title: string }[]
  /** Whether the program may use all apps, also later ones. */
  readonly isWhole: boolean
  readonly problem?: Say
}

/** Returns the page that narrows or ends the access of a program. */
export function programPage({ name, application, action, cancel, offered, isWhole, readOnly, problem }: ProgramForm): Page {
  const title: Say = (t) => fill(t.programs.title, { program: name, application })
  const some = html`<ul class="apps">${offered.map(
    (app) => html`<li><label class="option"><input type="checkbox" name="app" value="${app.name}" checked> ${app.title}</label></li>`,
  )}</ul>`
  const content = (t: PageTexts) => html`<h1>${title(t)}</h1>
<p>${fill(t.programs.narrowAbout, { application, program: name })}</p>
${problem !== undefined && problemBox(html`<p>${problem(t)}</p>`)}
<form method="post" action="${action}" autocomplete="off">
${
  offered.length > 0 &&
  html`<fieldset>
<legend>${t.consent.which}</legend>
${
  isWhole
    ? html`<label class="option"><input type="radio" name="which" value="all" checked> ${t.consent.all}</label>
<label class="option"><input type="radio" name="which" value="some"> ${t.consent.some}</label>`
    : html`<input type="hidden" name="which" value="some">`
}
${some}
</fieldset>`
}
${
  readOnly
    ? html`<p>${t.programs.readsOnly}</p>`
    : html`<label class="option"><input type="checkbox" name="read_only" value="true"> ${t.consent.readOnly}</label>`
}
<div class="decision">
<button type="submit" name="decision" value="narrow">${t.programs.save}</button>
<button class="danger" type="submit" name="decision" value="end">${t.programs.end}</button>
</div>
</form>
<a class="cancel" href="${cancel}">${t.cancel}</a>`
  return formPage({ title, content }, problem !== undefined)
}

function facts(t: PageTexts['programs'], language: Language, program: ShownProgram): Html {
  const { host, functions, readOnly, expiresAt, lastUsedAt } = program
  const names = program.apps === undefined ? t.allApps : program.apps.join(', ')
  const count = functions?.length ?? 0
  const limited = count === 1 ? t.oneFunction : t.someFunctions
  const apps = functions === undefined ? names : fill(limited, { apps: names, count })
  const what = fill(readOnly ? t.onlyReads : t.uses, { apps })
  const from = host === undefined ? [] : [fill(t.addedFrom, { host })]
  const day = (time: Date) => timeText(language, time, 'day')
  const until = { day: day(expiresAt), used: day(lastUsedAt ?? expiresAt) }
  return html`${[what, ...from, ''].join(' ')}${fillHtml(lastUsedAt === null ? t.untilUnused : t.until, until)}`
}

function ruleText(t: PageTexts['programs'], rule: ShownRule): string {
  if (rule.kind === 'asks-before-changes') return t.asksBeforeChanges
  const names = rule.calls.length === 0 ? t.anything : rule.calls.join(', ')
  const calls = rule.isPartial ? fill(t.sometimes, { calls: names }) : names
  return fill({ ask: t.asksBefore, deny: t.mayNot, allow: t.mayWithoutAsking }[rule.kind], { calls })
}
