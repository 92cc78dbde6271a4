import { compileFunction } from './compile-function.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { AppFile } from './file/app-file.ts'
import { checkShape } from './file/check-shape.ts'
import { readYaml, type Source } from './file/read-yaml.ts'
import { stableId } from './fingerprint.ts'
import { compileFrame, type Frame } from './frame.ts'
import { readIdentity } from './identity.ts'
import { checkName } from './parameters.ts'
import { makePassthrough, passthroughPhrase } from './passthrough/make-passthrough.ts'
import { CatalogError, type Path, type Report } from './problems.ts'
import type { App, AppFunction, RateLimit } from './types.ts'

/**
 * Compiles the text of an app file; `file` is its name in messages. Throws a CatalogError with every problem, each as
 * `slack.yaml:41: functions.post-message.request.path: …`.
 */
export function compileApp(text: string, file: string): App {
  return compileSource(readYaml(text, file))
}

/** Compiles an app that has been parsed already. Throws a CatalogError like `compileApp`, without line numbers. */
export function compileAppFile(value: AppFile, file: string): App {
  return compileSource(sourceOf(value, file))
}

/** A value that did not come from a text. */
export function sourceOf(value: unknown, file: string): Source {
  const problem = (path: Path, what: string) => `${file}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${what}`
  // Compiled apps are frozen, and the caller's value is the caller's.
  return { value: structuredClone(value), problem }
}

function compileSource(source: Source): App {
  const misshapen: Path[] = []
  const problems: string[] = []
  checkShape(source.value, (path, what) => {
    misshapen.push(path)
    problems.push(source.problem(path, what))
  })
  // A function of the wrong shape does not hide what is wrong with the others; an app of the wrong shape does.
  const broken = new Set(misshapen.map(([part, phrase]) => (part === 'functions' && phrase !== undefined ? phrase : null)))
  if (broken.has(null)) throw new CatalogError(problems)
  const report = (path: Path, what: string) => problems.push(source.problem(path, what))
  const app = compileParts(source.value as AppFile, broken, report)
  if (problems.length > 0) throw new CatalogError(problems)
  return deepFreeze(app)
}

/** Compiles an app but for its `broken` functions; when problems are reported, what comes back is of no use. */
export function compileParts(file: AppFile, broken: ReadonlySet<unknown>, report: Report): App {
  const frame = compileFrame(file, report)
  for (const name of frame.settingNames) checkName(name, ['account_settings'], report)
  if (Object.hasOwn(file.functions, passthroughPhrase)) report(['functions', passthroughPhrase], 'is added by itself')
  const functions: AppFunction[] = []
  const app = { ...describeApp(file, frame), identity: readIdentity(file, report), functions }
  for (const phrase of Object.keys(file.functions)) {
    if (!broken.has(phrase)) functions.push(compileFunction(phrase, file, frame, app, report))
  }
  if (file.passthrough !== false) functions.push(makePassthrough(file, frame, app))
  functions.sort((a, b) => (a.name < b.name ? -1 : 1))
  return app
}

function describeApp(file: AppFile, frame: Frame): Omit<App, 'identity' | 'functions'> {
  return {
    id: stableId(file.name),
    name: file.name,
    title: file.title,
    description: file.description,
    icon_url: file.icon_url ?? '',
    docs_url: file.docs_url ?? '',
    schemes: frame.schemes,
    accountSettings: frame.settings,
    needsAccount: frame.schemes.some(({ type }) => type !== 'none') || frame.settings.length > 0,
    rateLimit: file.rate_limit ? lowerCase(file.rate_limit) : null,
  }
}

function lowerCase({ remaining, reset, unit }: RateLimit): RateLimit {
  return { remaining: remaining?.toLowerCase(), reset: reset?.toLowerCase(), unit }
}
