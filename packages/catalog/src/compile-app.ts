import { compileFunction } from './compile-function.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { AppFile } from './file/app-file.ts'
import { checkShape } from './file/check-shape.ts'
import { readYaml } from './file/read-yaml.ts'
import { stableId } from './fingerprint.ts'
import { compileFrame, type Frame } from './frame.ts'
import { checkName } from './parameters.ts'
import { makePassthrough, passthroughPhrase } from './passthrough/make-passthrough.ts'
import { CatalogError, type Path } from './problems.ts'
import type { App, AppFunction } from './types.ts'

/**
 * Compiles the text of an app file; `file` is its name in messages. Throws a CatalogError with every problem, each as
 * `slack.yaml:41: functions.post-message.request.path: …`.
 */
export function compileApp(text: string, file: string): App {
  const source = readYaml(text, file)
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

function compileParts(file: AppFile, broken: ReadonlySet<unknown>, report: (path: Path, what: string) => void): App {
  const frame = compileFrame(file, report)
  for (const name of frame.settingNames) checkName(name, ['account_settings'], report)
  if (Object.hasOwn(file.functions, passthroughPhrase)) report(['functions', passthroughPhrase], 'is added by itself')
  const functions: AppFunction[] = []
  const app = describeApp(file, frame, functions)
  for (const phrase of Object.keys(file.functions)) {
    if (!broken.has(phrase)) functions.push(compileFunction(phrase, file, frame, app, report))
  }
  if (file.passthrough !== false) functions.push(makePassthrough(file, frame, app))
  functions.sort((a, b) => (a.name < b.name ? -1 : 1))
  return app
}

function describeApp(file: AppFile, frame: Frame, functions: readonly AppFunction[]): App {
  return {
    id: stableId(file.name),
    name: file.name,
    title: file.title,
    description: file.description,
    icon_url: file.icon_url ?? '',
    docs_url: file.docs_url ?? '',
    auth: file.auth,
    accountSettings: frame.settings,
    needsAccount: file.auth.type !== 'none' || frame.settings.length > 0,
    functions,
  }
}
