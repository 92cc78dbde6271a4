import { getPolicy, type PolicyRule, putPolicy, testPolicy } from '@onward/contract'
import { Refusal, refuseProblems } from '@onward/runtime'
import { type Functions, unknownNames } from '../../catalog/functions.ts'
import { applicationExists, readRules, replaceRules } from '../../db/applications.ts'
import { compileCondition } from '../../policy/policy.ts'
import { testRules } from '../../policy/test-rules.ts'
import { route } from '../route.ts'

export const getPolicyRoute = route(getPolicy, async (ctx, { params }) => {
  return { rules: (await readRules(ctx.db, params.app_key)) ?? refuseUnknown() }
})

export const putPolicyRoute = route(putPolicy, async (ctx, { params, body, changed }) => {
  refuseWrong(ctx.catalog.current.functions, body.rules)
  const before = (await readRules(ctx.db, params.app_key)) ?? refuseUnknown()
  if (!(await replaceRules(ctx.db, params.app_key, body.rules))) refuseUnknown()
  ctx.applications.drop(params.app_key)
  changed({ rules: before }, body)
  return { rules: body.rules }
})

export const testPolicyRoute = route(testPolicy, async (ctx, { params: { app_key: appKey }, body }) => {
  const { functions } = ctx.catalog.current
  refuseWrong(functions, body.rules)
  if (!(await applicationExists(ctx.db, appKey))) refuseUnknown()
  return await testRules(ctx.slowDb, functions, appKey, body.rules)
})

function refuseUnknown(): never {
  throw new Refusal('application_not_found', 'there is no such application')
}

/** Throws `invalid_parameters` if a rule names what is not in the catalog, or has a condition that is no schema. */
function refuseWrong(functions: Functions, rules: readonly PolicyRule[]): void {
  refuseProblems(rules.flatMap((rule, at) => problemsOf(functions, rule, `rules[${at}]`)))
}

function problemsOf({ apps, all }: Functions, rule: PolicyRule, place: string): string[] {
  const appNames = apps.map(({ name }) => name)
  const functionNames = all.map(({ fn }) => fn.name)
  return [
    ...unknownNames(`${place}.apps`, rule.apps ?? [], appNames),
    ...unknownNames(`${place}.functions`, rule.functions ?? [], functionNames),
    ...conditionProblems(`${place}.arguments`, rule.arguments),
  ]
}

function conditionProblems(place: string, schema: object | undefined): string[] {
  if (schema === undefined) return []
  try {
    compileCondition(schema)
    return []
  } catch (err) {
    return [`${place}: must be a JSON Schema: ${err instanceof Error ? err.message : String(err)}`]
  }
}
